#include "tarry/service/watch/quality_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

using quality::Expected;
using quality::Prospect;

constexpr std::int64_t kReviewEvery = 1000;  // milliseconds, and
constexpr std::int64_t kReviewsASpan = 8;    // in longer spans less changes
constexpr double kManyLabels = 100;          // before anything is said about calibration
constexpr double kRecentNumbers = 1000;      // labels that means of numbers are about
constexpr double kMatters = 0.02;            // of calibration error, beyond three times what chance explains
constexpr std::size_t kShownSpans = 120;
constexpr double kFewDecisions = 50;  // of one that is shown

bool is_yes_no(const Model& model) { return model.loss()->outputs() == 1 && model.loss()->classes() == 2; }

// Of a choice nothing is predicted when it is made that its reward could be told by: all are alike.
std::size_t stratum(const Model& model, double prediction) {
  return is_yes_no(model) && !model.choice() ? quality::stratum_of(prediction) : 0;
}

// Seven digits are enough to be drawn.
void append_number(std::string& out, std::string_view name, double x) {
  if (std::isfinite(x))
    fmt::format_to(std::back_inserter(out), ",\"{}\":{:.7g}", name, x);
  else
    fmt::format_to(std::back_inserter(out), ",\"{}\":null", name);
}

void append_expected(std::string& out, std::string_view name, const Expected& of) {
  fmt::format_to(std::back_inserter(out), ",\"{}\":{{\"so_far\":", name);
  out += std::isfinite(of.so_far) ? fmt::format("{:.7g}", of.so_far) : "null";
  append_number(out, "expected", of.expected);
  append_number(out, "low", of.low);
  append_number(out, "high", of.high);
  out += "}";
}

void append_prospect(std::string& out, const Prospect& of) {
  fmt::format_to(std::back_inserter(out), "{{\"from\":{},\"to\":{}", of.from_ms, of.to_ms);
  append_number(out, "decisions", of.decisions);
  append_number(out, "labels", of.labels);
  append_number(out, "share", of.share());
  append_expected(out, "loss", of.loss);
  append_expected(out, "gain", of.gain);
  out += "}";
}

// A model's state knows waits in rounds, not by the clock, and not what each label lost.
std::string unknown_past(const QualityWatch::Beside& beside) {
  if (beside.before == 0) return "";
  return fmt::format(" Of the {} round{} before this history, neither the losses nor the waits for {}s are known.",
                     beside.before, beside.before == 1 ? "" : "s", beside.chooses ? "reward" : "label");
}

std::string percent(double share) { return fmt::format("{:.0f} %", 100 * share); }

}  // namespace

std::string_view name_of(Health health) {
  switch (health) {
    case Health::kNoLabels:
      return "no labels";
    case Health::kTooEarly:
      return "too early";
    case Health::kUnclear:
      return "unclear";
    case Health::kBetter:
      return "better";
    case Health::kWorse:
      return "worse";
  }
  return "";
}

void QualityWatch::folded(const Model& model, const Event& event, const hosting::Folded& folded, std::int64_t now_ms) {
  if (!model.loss() || folded.fate != hosting::Fate::kApplied || folded.revised) return;
  if (std::holds_alternative<Play>(event)) {
    if (!folded.reply || (!folded.reply->prediction && !folded.reply->choice)) return;
    const LabelValue* value =
        folded.reply->prediction && folded.reply->prediction->value ? &*folded.reply->prediction->value : nullptr;
    const double* number = value == nullptr ? nullptr : std::get_if<double>(value);
    return maturing_.decided(now_ms, number == nullptr ? 0 : stratum(model, *number));
  }
  const bool lost =
      std::holds_alternative<Void>(event) || (std::holds_alternative<Expire>(event) && !model.expiry().then_label);
  if (lost && folded.issued_ms > 0) maturing_.given_up(folded.issued_ms, stratum(model, folded.prediction));
}

void QualityWatch::judged(const Model& model, double label, const hosting::Folded& folded, double constant,
                          std::int64_t now_ms) {
  if (folded.issued_ms > 0)
    maturing_.answered(folded.issued_ms, now_ms, stratum(model, folded.prediction),
                       {folded.loss, constant - folded.loss});
  if (is_yes_no(model)) return reliability_.add(folded.prediction, label > 0);
  if (model.loss()->outputs() > 1 || !model.loss()->of_the_error() || !std::isfinite(folded.prediction)) return;
  const double weight = 1 / std::min(++numbers_.labels, kRecentNumbers);
  numbers_.predicted += weight * (folded.prediction - numbers_.predicted);
  numbers_.outcome += weight * (label - numbers_.outcome);
}

QualityWatch::Means QualityWatch::means() const {
  if (const quality::Reliability::Bin all = reliability_.all(); all.labels > 0)
    return {all.labels, all.predicted / all.labels, all.outcome / all.labels};
  return numbers_;
}

void QualityWatch::review(std::int64_t now_ms) {
  if (now_ms - reviewed_ms_ < std::max(kReviewEvery, maturing_.span_ms() / kReviewsASpan)) return;
  reviewed_ms_ = now_ms;
  maturing_.review(now_ms);
  troubles_.review(Trouble::kOverdue, maturing_.arrivals(now_ms).overdue(), now_ms);
  troubles_.review(Trouble::kWorse, health(now_ms) == Health::kWorse, now_ms);
  troubles_.review(Trouble::kMiscalibrated, is_miscalibrated(), now_ms);
}

bool QualityWatch::is_miscalibrated() const {
  return reliability_.all().labels >= kManyLabels &&
         reliability_.error() > kMatters + 3 * reliability_.error_by_chance();
}

Health QualityWatch::health(std::int64_t now_ms) const {
  if (maturing_.losses().labels() < 1) return Health::kNoLabels;
  const Expected gain = maturing_.lately(now_ms).gain;
  if (std::isnan(gain.expected)) return Health::kTooEarly;
  return gain.low > 0 ? Health::kBetter : gain.high < 0 ? Health::kWorse : Health::kUnclear;
}

std::string QualityWatch::warnings(std::int64_t now_ms, const Beside& beside) const {
  std::string told;
  if (const quality::Arrivals labels = maturing_.arrivals(now_ms); labels.overdue() && !beside.tells_arrivals)
    told = fmt::format("{} are overdue{}: about {} should have come by now for recent decisions, and {} did. {} ",
                       beside.chooses ? "Rewards" : "Labels", lasting(Trouble::kOverdue, now_ms),
                       static_cast<std::uint64_t>(labels.expected), static_cast<std::uint64_t>(labels.came),
                       look_of(Trouble::kOverdue));
  if (!is_miscalibrated()) return told;
  const quality::Reliability::Bin all = reliability_.all();
  return told + fmt::format("Its probabilities do not come true{}: it predicts {} on average, and {} happened. {} ",
                            lasting(Trouble::kMiscalibrated, now_ms), percent(all.predicted / all.labels),
                            percent(all.outcome / all.labels), look_of(Trouble::kMiscalibrated));
}

std::string QualityWatch::verdict(std::int64_t now_ms, const Beside& beside) const {
  const Health health = this->health(now_ms);
  const bool chooses = beside.chooses;
  const std::string label = chooses ? "reward" : "label";
  if (health == Health::kNoLabels)
    return beside.before == 0 ? fmt::format("No {} has come yet.", label)
                              : fmt::format("No {} has come since this history began.{}", label, unknown_past(beside));
  const Prospect lately = maturing_.lately(now_ms);
  if (health == Health::kTooEarly)
    return fmt::format("Too early to judge: {} of {} decisions have {}s, and later ones may differ.{}",
                       static_cast<std::uint64_t>(lately.labels), static_cast<std::uint64_t>(lately.decisions), label,
                       unknown_past(beside));
  const double constant = lately.loss.expected + lately.gain.expected;
  const auto share = [&](double gain) { return percent(std::fabs(std::min(gain, constant)) / constant); };  // no more
  const std::string in = fmt::format("With {} of the {}s in", percent(lately.share()), label);
  if (health == Health::kUnclear)
    return fmt::format("{}, it is not clear whether {} better than a constant answer.", in,
                       chooses ? "its predictions of rewards are" : "the model is");
  const bool better = health == Health::kBetter;
  const std::string told =
      fmt::format("{}, {} expected to lose {} {} than a constant answer ({} to {})", in,
                  chooses ? "its predictions of rewards are" : "the model is", share(lately.gain.expected),
                  better ? "less" : "more", share(better ? lately.gain.low : lately.gain.high),
                  share(better ? lately.gain.high : lately.gain.low));
  if (better) return told + ".";
  return fmt::format("{}{}. {}", told, lasting(Trouble::kWorse, now_ms), look_of(Trouble::kWorse));
}

std::string QualityWatch::lasting(Trouble trouble, std::int64_t now_ms) const {
  return since_words(troubles_.since_ms(trouble), now_ms);
}

std::string QualityWatch::sentence(std::int64_t now_ms, const Beside& beside) const {
  return beside.changed + warnings(now_ms, beside) + verdict(now_ms, beside);
}

void QualityWatch::append_calibration(std::string& out) const {
  const Means means = this->means();
  if (means.labels <= 0) {
    out += "null";
    return;
  }
  const bool of_probabilities = reliability_.all().labels > 0;
  fmt::format_to(std::back_inserter(out), "{{\"labels\":{:.7g}", means.labels);
  append_number(out, "predicted", means.predicted);
  append_number(out, "outcome", means.outcome);
  append_number(out, "error", of_probabilities ? reliability_.error() : Expected::kUnknown);
  append_number(out, "error_by_chance", of_probabilities ? reliability_.error_by_chance() : Expected::kUnknown);
  out += "}";
}

void QualityWatch::append(std::string& out, std::int64_t now_ms, const Beside& beside) const {
  fmt::format_to(std::back_inserter(out),
                 "{{\"health\":\"{}\",\"miscalibrated\":{},\"overdue\":{},\"sentence\":", name_of(health(now_ms)),
                 is_miscalibrated(), maturing_.arrivals(now_ms).overdue());
  spec::append_json(out, sentence(now_ms, beside));
  out += ",\"troubles\":[";
  for (std::size_t k = 0; k < kTroubles; ++k) {
    const auto trouble = static_cast<Trouble>(k);
    if (!troubles_.holds(trouble)) continue;
    fmt::format_to(std::back_inserter(out), "{}{{\"what\":\"{}\",\"since\":{},\"look\":\"{}\"}}",
                   out.back() == '[' ? "" : ",", name_of(trouble), troubles_.since_ms(trouble), look_of(trouble));
  }
  out += "],\"lately\":";
  append_prospect(out, maturing_.lately(now_ms));
  out += ",\"complete\":";
  if (const auto complete = maturing_.complete(now_ms))
    append_prospect(out, *complete);
  else
    out += "null";
  out += ",\"spans\":[";
  const std::vector<Prospect> spans = maturing_.spans(now_ms, kFewDecisions);
  for (std::size_t i = spans.size() - std::min(spans.size(), kShownSpans); i < spans.size(); ++i) {
    if (out.back() != '[') out += ",";
    append_prospect(out, spans[i]);
  }
  out += "],\"calibration\":";
  append_calibration(out);
  out += ",\"reliability\":[";
  for (const quality::Reliability::Bin& bin : reliability_.bins()) {
    if (bin.labels <= 0) continue;
    fmt::format_to(std::back_inserter(out), "{}[{:.7g},{:.7g},{:.7g}]", out.back() == '[' ? "" : ",", bin.labels,
                   bin.predicted / bin.labels, bin.outcome / bin.labels);
  }
  out += "],\"checks\":[";
  for (const quality::Checks& checks : maturing_.checks()) {
    if (checks.estimates <= 0) continue;
    fmt::format_to(std::back_inserter(out),
                   "{}{{\"share\":{:.2g},\"estimates\":{},\"off\":{:.7g},\"last_known_off\":{:.7g},\"within\":{:.3g}}}",
                   out.back() == '[' ? "" : ",", checks.share, checks.estimates, checks.off, checks.last_known_off,
                   checks.within);
  }
  out += "]}";
}

}  // namespace tarry::service
