#include "tarry/hosting/ticket.h"

#include "tarry/base/bytes.h"

namespace tarry::hosting {
namespace {

constexpr std::uint8_t kTicketVersion = 1;
constexpr std::size_t kBodyBytes = 1 + 3 * 8;
constexpr std::size_t kTextBytes = ((kBodyBytes + kTagBytes) * 8 + 5) / 6;

}  // namespace

std::string ticket_text(const Ticket& ticket, const SecretKey& key) {
  ByteWriter out;
  out.u8(kTicketVersion);
  out.u64(ticket.incarnation);
  out.u64(ticket.epoch);
  out.u64(ticket.round);
  return signed_text(key, out.take());
}

std::optional<Ticket> read_ticket(std::string_view text, const SecretKey& key) {
  if (text.size() != kTextBytes) return std::nullopt;
  const auto body = signed_body(key, text);
  if (!body || body->size() != kBodyBytes) return std::nullopt;
  ByteReader in(*body);
  if (in.u8() != kTicketVersion) return std::nullopt;
  Ticket ticket{.incarnation = in.u64()};
  ticket.epoch = in.u64();
  ticket.round = in.u64();
  return ticket;
}

}  // namespace tarry::hosting
