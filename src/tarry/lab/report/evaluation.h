// What the policies of a log would have earned, for tables and reports: estimates with their intervals, and what is to
// be said against them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tarry/evaluation/policy_value.h"
#include "tarry/spec/value.h"

namespace tarry::lab {

struct GroupSummary;

struct Evaluated {
  std::string stream, delay, policy;
  std::optional<evaluation::Estimate> dr;  // nothing: of the other actions the policy says nothing
  evaluation::Estimate ips, snips;
  double effective_rounds = 0;
  std::vector<std::string> warnings = {};
};

// Of the groups that are policies on a log, in their order; means over seeds.
std::vector<Evaluated> evaluations(const std::vector<GroupSummary>& groups);
spec::Value to_value(const Evaluated& evaluated);

}  // namespace tarry::lab
