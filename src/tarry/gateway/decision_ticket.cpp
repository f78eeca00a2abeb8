#include "tarry/gateway/decision_ticket.h"

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry::gateway {
namespace {

constexpr std::uint8_t kTicketVersion = 2;  // 1 is the service's own

}  // namespace

std::string ticket_text(const DecisionTicket& ticket, const service::SecretKey& secret) {
  ByteWriter out;
  out.u8(kTicketVersion);
  out.i64(ticket.since);
  out.text(ticket.model);
  out.text(ticket.key);
  const std::string body = out.take();
  return service::base64url(body + service::tag(secret, body));
}

std::optional<DecisionTicket> read_ticket(std::string_view text, const service::SecretKey& secret) {
  const auto bytes = service::from_base64url(text);
  if (!bytes || bytes->size() <= service::kTagBytes) return std::nullopt;
  const auto [body, tag] = std::pair(std::string_view(*bytes).substr(0, bytes->size() - service::kTagBytes),
                                     std::string_view(*bytes).substr(bytes->size() - service::kTagBytes));
  if (!service::equal(service::tag(secret, body), tag)) return std::nullopt;
  try {
    ByteReader in(body);
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
