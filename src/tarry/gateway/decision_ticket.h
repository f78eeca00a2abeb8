// A gateway's ticket: it names a decision by its model and its key, so that any gateway with the same secret can send
// its feedback on. Each ticket has exactly one text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tarry/hosting/crypto.h"
#include "tarry/kafka/client.h"

namespace tarry::gateway {

struct DecisionTicket {
  std::string model;
  std::string key;          // of the play
  kafka::Offset since = 0;  // an event at which the model was there: a later one of its name is another model

  bool operator==(const DecisionTicket&) const = default;
};

std::string ticket_text(const DecisionTicket& ticket, const hosting::SecretKey& secret);
// Nothing for a text that was not made with this secret.
std::optional<DecisionTicket> read_ticket(std::string_view text, const hosting::SecretKey& secret);

}  // namespace tarry::gateway
