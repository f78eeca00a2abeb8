#include "tarry/service/watch/drift_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "tarry/base/overload.h"
#include "tarry/service/watch/wait_words.h"
#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

using quality::Alarm;
using quality::BinName;
using quality::ColumnValue;
using quality::DriftKind;

constexpr int kMostSentences = 2;

std::optional<ColumnValue> column_value(const FeatureValue& value) {
  using Found = std::optional<ColumnValue>;
  return std::visit(
      Overload{[](std::monostate) { return Found(); }, [](double x) { return Found(x); },
               [](bool x) { return Found(std::string_view(x ? "true" : "false")); },
               [](const std::string& x) { return Found(std::string_view(x)); },
               [](const std::vector<std::string>& x) { return x.empty() ? Found() : Found(std::string_view(x[0])); }},
      value);
}

std::optional<ColumnValue> column_value(const LabelValue& label) {
  if (const auto* flag = std::get_if<bool>(&label)) return *flag ? 1.0 : 0.0;
  if (const auto* number = std::get_if<double>(&label)) return *number;
  if (const auto* word = std::get_if<std::string>(&label)) return std::string_view(*word);
  return std::nullopt;
}

// Names of features that have none.
const std::array<std::string, quality::Drift::kMostColumns> kNumbered = [] {
  std::array<std::string, quality::Drift::kMostColumns> names;
  for (std::size_t k = 0; k < names.size(); ++k) names[k] = std::to_string(k);
  return names;
}();

std::string share_text(double share) {
  return share > 0 && share < 0.01 ? fmt::format("{:.1f} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

// Values that many have are bins of their own, up to the next number that there is.
double next_above(double x) { return std::nextafter(x, std::numeric_limits<double>::infinity()); }

// Labels of true and false are 1 and 0.
std::string value_text(double x, bool is_label) {
  return fmt::format("{:.3g}{}", x, !is_label ? "" : x == 0 ? " or false" : x == 1 ? " or true" : "");
}

std::string bin_text(const BinName& bin, DriftKind kind) {
  const bool is_wait = kind == DriftKind::kDelay, is_label = kind == DriftKind::kLabel;
  const auto number = [&](double x) {
    return is_wait ? wait_words(x) : fmt::format("{:.3g}", x == next_above(0) ? 0 : x);
  };
  switch (bin.kind) {
    case BinName::kBetween:
      if (!is_wait && bin.high == next_above(bin.low)) return value_text(bin.low, is_label);
      return fmt::format("from {} to {}", number(bin.low), number(bin.high));
    case BinName::kBelow:
      return fmt::format("below {}", number(bin.high));
    case BinName::kFrom:
      if (!is_wait && bin.low == next_above(0)) return is_label ? "more than 0, or true" : "more than 0";
      return fmt::format("{} or more", number(bin.low));
    case BinName::kIs:
      return fmt::format("\"{}\"", bin.word);
    case BinName::kOther:
      return "of values that were rare";
    case BinName::kMissing:
      return "missing";
  }
  return "";
}

}  // namespace

std::string text_of(const Alarm& alarm) {
  const auto& [bin, usual, now] = alarm.difference;
  const auto differs = [&](const std::string& what) {
    return fmt::format("{} differ from what is usual: {} are {} (usually {})", what, share_text(now),
                       bin_text(bin, alarm.kind), share_text(usual));
  };
  switch (alarm.kind) {
    case DriftKind::kFeature:
      return differs(fmt::format("Values of \"{}\"", alarm.column));
    case DriftKind::kNewNames:
      return fmt::format("Decisions come with feature names that are new, such as \"{}\"", alarm.column);
    case DriftKind::kPrediction:
      return differs("Predictions");
    case DriftKind::kLabel:
      return differs("Labels");
    case DriftKind::kDelay:
      return differs("Waits for labels");
    case DriftKind::kArrivals:
      return fmt::format("Fewer labels come than usual: {:.0f} where {:.0f} were to be expected", now, usual);
  }
  return "";
}

std::string_view look_of(DriftKind kind) {
  switch (kind) {
    case DriftKind::kFeature:
      return "Look at what sends this feature.";
    case DriftKind::kNewNames:
      return "Look at the client: a name may be misspelt, or its features were changed.";
    case DriftKind::kPrediction:
      return "Look at the features first; if they are as usual, at the labels learnt recently.";
    case DriftKind::kLabel:
      return "Look at the source of the labels: one kind may be getting lost, or something really has changed.";
    case DriftKind::kDelay:
      return "Look at the source of the labels: it may be behind.";
    case DriftKind::kArrivals:
      return "Look at the source of the labels: it may be down.";
  }
  return "";
}

void DriftWatch::folded(const Model& model, const Event& event, const hosting::Folded& folded, std::int64_t now_ms) {
  if (!model.loss() || folded.fate != hosting::Fate::kApplied || folded.revised) return;
  if (const auto* label = std::get_if<Label>(&event)) {
    const LabelValue plain = model.plain(label->label);
    if (folded.issued_ms > 0) drift_.labelled(now_ms, column_value(plain), now_ms - folded.issued_ms, folded.round);
    return;
  }
  const auto* play = std::get_if<Play>(&event);
  if (play == nullptr) return;
  drift_.decided(now_ms, folded.round);
  const NamedFeatures* named = play->choosing   ? &play->choosing->context
                               : play->features ? std::get_if<NamedFeatures>(&*play->features)
                                                : nullptr;
  if (named != nullptr)
    for (const NamedFeature& one : *named)
      if (const auto value = column_value(one.value)) drift_.feature(one.name, *value);
  if (const auto* numbers = play->features ? std::get_if<Vec>(&*play->features) : nullptr)
    for (std::size_t k = 0; k < numbers->size() && k < kNumbered.size(); ++k)
      drift_.feature(kNumbered[k], (*numbers)[k]);
  if (!folded.reply) return;
  if (folded.reply->choice)
    drift_.predicted(std::string_view(folded.reply->choice->action));
  else if (folded.reply->prediction && folded.reply->prediction->value)
    if (const auto value = column_value(*folded.reply->prediction->value)) drift_.predicted(*value);
}

bool DriftWatch::alarmed() const {
  return std::any_of(drift_.alarms().begin(), drift_.alarms().end(), [](const Alarm& a) { return a.over_ms == 0; });
}

bool DriftWatch::tells(DriftKind kind) const {
  return std::any_of(drift_.alarms().begin(), drift_.alarms().end(),
                     [&](const Alarm& a) { return a.over_ms == 0 && a.kind == kind; });
}

std::string DriftWatch::sentences(std::int64_t now_ms) const {
  std::string told;
  int lasting = 0;
  for (const Alarm& alarm : drift_.alarms())
    if (alarm.over_ms == 0 && ++lasting <= kMostSentences)
      told += fmt::format("{}, for {} now. {} ", text_of(alarm),
                          wait_words(static_cast<double>(now_ms - alarm.since_ms)), look_of(alarm.kind));
  if (const int more = lasting - kMostSentences; more > 0)
    told += more == 1 ? "Something else has changed, too. " : fmt::format("{} other things have changed, too. ", more);
  return told;
}

void DriftWatch::append(std::string& out) const {
  fmt::format_to(std::back_inserter(out), "{{\"learns_until\":{},\"features\":{},\"alarms\":[",
                 drift_.learns_until_ms(), drift_.watched());
  for (auto alarm = drift_.alarms().rbegin(); alarm != drift_.alarms().rend(); ++alarm) {
    fmt::format_to(std::back_inserter(out),
                   "{}{{\"number\":{},\"kind\":\"{}\",\"column\":", out.back() == '[' ? "" : ",", alarm->number,
                   name_of(alarm->kind));
    spec::append_json(out, alarm->column);
    fmt::format_to(std::back_inserter(out), ",\"since\":{},\"raised\":{},\"over\":{},\"text\":", alarm->since_ms,
                   alarm->raised_ms, alarm->over_ms == 0 ? "null" : std::to_string(alarm->over_ms));
    spec::append_json(out, text_of(*alarm));
    fmt::format_to(std::back_inserter(out), ",\"look\":\"{}\"", look_of(alarm->kind));
    out += "}";
  }
  out += "]}";
}

}  // namespace tarry::service
