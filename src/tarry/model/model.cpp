#include "tarry/model/model.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/error.h"
#include "tarry/spec/node.h"

namespace tarry {

Model::Outcome Model::apply(const Event& event) {
  if (const auto* feedback = std::get_if<Gradient>(&event)) return receive(*feedback);
  return play();
}

Model::Outcome Model::play() {
  Memo memo;
  learner_.play(ledger_.issued() + 1, nullptr, memo);
  return {Answer::kApplied, ledger_.issue(std::move(memo))};
}

Model::Outcome Model::receive(const Gradient& feedback) {
  check(feedback.gradient);
  const auto memo = ledger_.settle(feedback.round);
  if (!memo) return {ledger_.why_not(feedback.round), feedback.round};
  learner_.receive(feedback.round, {.gradient = feedback.gradient}, *memo);
  return {Answer::kApplied, feedback.round};
}

void Model::check(const Covector& gradient) const {
  const auto refuse = [](const std::string& why) { throw Error(Code::kBadInput, why); };
  const Index n = set_.dimension();
  if (!gradient.is_sparse() && static_cast<Index>(gradient.stored()) != n)
    refuse(fmt::format("gradient must have {} entries, the set's dimension ({} came)", n, gradient.stored()));
  if (gradient.is_sparse() && gradient.indices().size() != gradient.values().size())
    refuse(fmt::format("values must have as many entries as indices ({} and {} came)", gradient.values().size(),
                       gradient.indices().size()));
  Index last = -1;
  for (Index i : gradient.indices()) {
    if (i < 0 || i >= n) refuse(fmt::format("indices must be from 0 to {} ({} came)", n - 1, i));
    if (i <= last) refuse(fmt::format("indices must be ascending, each once ({} after {})", i, last));
    last = i;
  }
  for (double g : gradient.values())
    if (!(std::fabs(g) <= spec::kLargest))
      refuse(fmt::format("gradient must be finite and at most 1e100 in size ({} came)", g));
}

}  // namespace tarry
