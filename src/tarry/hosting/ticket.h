// A ticket names one decision of one model, once and for all: its incarnation, the epoch and the round, with a tag that
// only the holder of the key can make. Each ticket has exactly one text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarry/hosting/crypto.h"
#include "tarry/hosting/log.h"
#include "tarry/ledger/round.h"

namespace tarry::hosting {

struct Ticket {
  hosting::Position incarnation = 0;
  std::uint64_t epoch = 0;
  Round round = 0;

  bool operator==(const Ticket&) const = default;
};

std::string ticket_text(const Ticket& ticket, const SecretKey& key);
// Nothing for a text that was not made with this key.
std::optional<Ticket> read_ticket(std::string_view text, const SecretKey& key);

}  // namespace tarry::hosting
