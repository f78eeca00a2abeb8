#include "tarry/sets/checks.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/spec/node.h"

namespace tarry {
namespace {

constexpr double kSmallest = 1e-290;  // sizes below it, shared by 2^40 coordinates, have no digits left
constexpr Index kMostSide = Index{1} << 20;
static_assert(kMostSide * kMostSide == spec::kMaxDimension);

}  // namespace

void check_positive(std::string_view who, std::string_view key, double value) {
  if (value >= kSmallest && value <= spec::kLargest) return;
  const char* wanted = !(value > 0) ? "positive" : value < 1 ? "at least 1e-290" : "at most 1e100";
  throw Error(Code::kBadSpec, fmt::format("{}: {} must be {} ({} = {})", who, key, wanted, key, value));
}

void check_not_empty(std::string_view who, std::string_view key, std::size_t size) {
  if (size == 0)
    throw Error(Code::kBadSpec, fmt::format("{}: {} must have at least one entry ({} = [])", who, key, key));
}

void check_at_least(std::string_view who, std::string_view key, double value, double least) {
  if (value >= least && value <= spec::kLargest) return;
  const std::string wanted = value >= least ? "at most 1e100" : fmt::format("at least {}", least);
  throw Error(Code::kBadSpec, fmt::format("{}: {} must be {} ({} = {})", who, key, wanted, key, value));
}

void check_count(std::string_view who, std::string_view key, Index value, Index low, Index high) {
  if (value < low || value > high)
    throw Error(Code::kBadSpec,
                fmt::format("{}: {} must be a whole number from {} to {} ({} = {})", who, key, low, high, key, value));
}

void check_dimension(std::string_view who, Index dimension) {
  check_count(who, "dimension", dimension, 1, spec::kMaxDimension);
}

void check_matrix(std::string_view who, Index rows, Index cols) {
  check_count(who, "rows", rows, 1, spec::kMaxDimension);
  check_count(who, "cols", cols, 1, spec::kMaxDimension / rows);
}

void check_side(std::string_view who, Index side) { check_count(who, "dimension", side, 1, kMostSide); }

}  // namespace tarry
