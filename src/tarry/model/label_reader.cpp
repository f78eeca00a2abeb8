#include "tarry/model/label_reader.h"

#include <fmt/format.h>

#include <cmath>

#include "tarry/base/error.h"
#include "tarry/features/named.h"

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

LabelReader::LabelReader(std::vector<std::string> names, std::size_t limit) : limit_(limit) {
  for (std::string& name : names) add(std::move(name));
}

LabelValue LabelReader::plain(const LabelValue& label) const {
  const auto* text = std::get_if<std::string>(&label);
  if (names_classes()) return class_name(label);
  return text != nullptr ? plain_label(*text) : label;
}

double LabelReader::read(const LabelValue& label, const AnyLoss& loss) const {
  const double number = this->number(label, loss);
  if (names_classes() && number >= static_cast<double>(limit_))
    refuse_label(
        fmt::format("label must be one of {} classes: {} ({} came)", limit_, listed(names_), shown(class_name(label))));
  return number;
}

double LabelReader::number(const LabelValue& label, const AnyLoss& loss) const {
  if (names_classes()) {
    if (const auto* number = std::get_if<double>(&label); number != nullptr && !std::isfinite(*number))
      refuse_label(fmt::format("label must be the name of a class, or a finite number ({} came)", *number));
    const std::string name = class_name(label);
    if (name.empty() || name.size() > kLongestName)
      refuse_label(
          fmt::format("label must be the name of a class, of 1 to {} bytes ({} came)", kLongestName, name.size()));
    const auto known = numbers_.find(name);
    return static_cast<double>(known != numbers_.end() ? known->second : names_.size());
  }
  if (const auto* number = std::get_if<double>(&label)) return loss.label(*number);
  if (const auto* flag = std::get_if<bool>(&label)) return loss.label(*flag ? 1 : 0);
  const LabelValue plain = this->plain(label);
  if (const auto* text = std::get_if<std::string>(&plain))
    refuse_label(fmt::format("label must be a number, true or false ({} came)", shown(*text)));
  if (const auto* flag = std::get_if<bool>(&plain)) return loss.label(*flag ? 1 : 0);
  return loss.label(std::get<double>(plain));
}

void LabelReader::add(const LabelValue& label) {
  if (!names_classes()) return;
  std::string name = class_name(label);
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
  if (names_.size() != count || count > limit_) throw Error(Code::kCorrupt, "snapshot: a class is there twice");
}

}  // namespace tarry
