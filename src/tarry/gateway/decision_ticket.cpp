#include "tarry/gateway/decision_ticket.h"

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry::gateway {
namespace {

constexpr std::uint8_t kTicketVersion = 2;  // 1 is the service's own

}  // namespace

std::string ticket_text(const DecisionTicket& ticket, const hosting::SecretKey& secret) {
  ByteWriter out;
  out.u8(kTicketVersion);
  out.i64(ticket.since);
  out.text(ticket.model);
  out.text(ticket.key);
  return hosting::signed_text(secret, out.take());
}

std::optional<DecisionTicket> read_ticket(std::string_view text, const hosting::SecretKey& secret) {
  const auto body = hosting::signed_body(secret, text);
  if (!body) return std::nullopt;
  try {
    ByteReader in(*body);
    if (in.u8() != kTicketVersion) return std::nullopt;
    DecisionTicket ticket;
    ticket.since = in.i64();
    ticket.model = in.text();
    ticket.key = in.text();
    in.expect_end();
    return ticket;
  } catch (const Error&) {  // signed, and yet not a ticket: the secret has another use
    return std::nullopt;
  }
}

}  // namespace tarry::gateway
