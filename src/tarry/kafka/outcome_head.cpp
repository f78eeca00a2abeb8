#include "tarry/kafka/outcome_head.h"

#include <fmt/format.h>

#include <charconv>

#include "tarry/base/arithmetic.h"
#include "tarry/features/hash.h"

namespace tarry::kafka {
namespace {

constexpr std::string_view kBegin = "{\"offset\": ";
constexpr std::string_view kNumber = "\"arithmetic\": ";

// A number and the comma behind it, taken off the front.
template <class T>
std::optional<T> take_number(std::string_view& text) {
  T number{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop == end || *stop != ',') return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(stop - text.data()) + 1);
  if (text.starts_with(' ')) text.remove_prefix(1);
  return number;
}

}  // namespace

std::optional<OutcomeHead> outcome_head(std::string_view outcome) {
  if (!outcome.starts_with(kBegin)) return std::nullopt;
  outcome.remove_prefix(kBegin.size());
  const auto offset = take_number<Offset>(outcome);
  if (!offset || *offset < 0) return std::nullopt;
  OutcomeHead head{.offset = *offset, .arithmetic = kArithmeticUnknown, .rest = outcome};
  if (!outcome.starts_with(kNumber)) return head;
  outcome.remove_prefix(kNumber.size());
  const auto number = take_number<std::uint64_t>(outcome);
  if (!number) return std::nullopt;
  head.arithmetic = *number;
  head.rest = outcome;
  return head;
}

std::string head_text(Offset offset, std::uint64_t arithmetic) {
  std::string head = fmt::format("{}{}, ", kBegin, offset);
  if (arithmetic != kArithmeticUnknown) head += fmt::format("{}{}, ", kNumber, arithmetic);
  return head;
}

Compared compare(const OutcomeHead& there, std::uint64_t fold) {
  const bool known = there.arithmetic != kArithmeticUnknown;
  if (known && there.arithmetic != kArithmetic) return Compared::kNotCompared;
  if (hash_text(there.rest) == fold) return Compared::kSame;
  return known ? Compared::kDifferent : Compared::kNotCompared;
}

}  // namespace tarry::kafka
