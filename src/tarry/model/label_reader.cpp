#include "tarry/model/label_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/features/named.h"
#include "tarry/spec/value.h"

namespace tarry {
namespace {

[[noreturn]] void refuse_label(const std::string& why) { throw Error(Code::kBadInput, why); }

std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < kShown; ++i) text += (i > 0 ? ", " : "") + shown(names[i]);
  return names.size() > kShown ? text + ", …" : text;
}

}  // namespace

std::string LabelReader::name_of(const LabelValue& label) {
  if (const auto* text = std::get_if<std::string>(&label)) return *text;
  if (const auto* flag = std::get_if<bool>(&label)) return *flag ? "true" : "false";
  std::string digits;
  spec::append_json(digits, std::get<double>(label));
  return digits;
}

LabelReader::LabelReader(std::vector<std::string> names, std::size_t limit) : limit_(limit) {
  for (std::string& name : names) add(std::move(name));
}

double LabelReader::read(const LabelValue& label, const AnyLoss& loss) const {
  if (names_classes()) {
    if (const auto* number = std::get_if<double>(&label); number != nullptr && !std::isfinite(*number))
      refuse_label(fmt::format("label must be the name of a class, or a finite number ({} came)", *number));
    const std::string name = name_of(label);
    if (name.empty() || name.size() > kLongestName)
      refuse_label(
          fmt::format("label must be the name of a class, of 1 to {} bytes ({} came)", kLongestName, name.size()));
    if (const auto known = numbers_.find(name); known != numbers_.end()) return static_cast<double>(known->second);
    if (names_.size() < limit_) return static_cast<double>(names_.size());
    refuse_label(fmt::format("label must be one of {} classes: {} ({} came)", limit_, listed(names_), shown(name)));
  }
  if (std::holds_alternative<std::string>(label))
    refuse_label(fmt::format("label must be a number, true or false ({} came)", shown(std::get<std::string>(label))));
  if (const auto* flag = std::get_if<bool>(&label)) return loss.label(*flag ? 1 : 0);
  return loss.label(std::get<double>(label));
}

void LabelReader::add(const LabelValue& label) {
  if (!names_classes()) return;
  std::string name = name_of(label);
  if (numbers_.emplace(name, names_.size()).second) names_.push_back(std::move(name));
}

void LabelReader::save(ByteWriter& out) const {
  out.u64(names_.size());
  for (const std::string& name : names_) out.text(name);
}

void LabelReader::load(ByteReader& in) {
  names_.clear();
  numbers_.clear();
  const std::uint64_t count = in.count();
  for (std::uint64_t i = 0; i < count; ++i) {
    std::string name = in.text();
    if (name.empty() || name.size() > kLongestName)
      throw Error(Code::kCorrupt, fmt::format("snapshot: a class has a name of {} bytes", name.size()));
    add(std::move(name));
  }
  if (names_.size() != count || count > limit_) throw Error(Code::kCorrupt, "snapshot: a class stands twice");
}

}  // namespace tarry
