// What an outcome says of itself before its answer: which event it is of, and the number of the arithmetic that gave it
// (base/arithmetic.h). Outcomes are compared without the number, and never with a fold of another one.
//
//   {"offset": 7, "arithmetic": 2, "answer": …
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/kafka/client.h"

namespace tarry::kafka {

struct OutcomeHead {
  Offset offset = 0;             // of its event
  std::uint64_t arithmetic = 0;  // 0: written before there were numbers
  std::string_view rest;         // what follows
};

// Nothing: it is no outcome.
std::optional<OutcomeHead> outcome_head(std::string_view outcome);
std::string head_text(Offset offset, std::uint64_t arithmetic);  // a text that begins so is whole with a rest

enum class Compared : std::uint8_t { kSame, kDifferent, kNotCompared };
// An outcome that is there, with the hash of what this program's fold has in its place after the head. One without a
// number may be another's: that it differs says nothing.
Compared compare(const OutcomeHead& there, std::uint64_t fold);

}  // namespace tarry::kafka
