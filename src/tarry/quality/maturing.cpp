#include "tarry/quality/maturing.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tarry::quality {
namespace {

constexpr std::size_t kMostSpans = 256;
constexpr std::int64_t kReach = 8;      // times what labels take, which spans must cover
constexpr std::int64_t kSeen = 2;       // times that: before, nothing is said
constexpr double kFewDecisions = 200;   // of a span, on average: then spans are longer
constexpr double kFewLabels = 30;       // of a span: it says nothing about spans
constexpr std::size_t kFewSpans = 5;    // that are complete: then the guess below is used
constexpr double kGuessedEffect = 0.3;  // of the mean loss
constexpr double kLateOwn = 0.3;     // of a span's own variance, what its late labels do not share with its early ones
constexpr std::int64_t kPoints = 4;  // of a part of a span, at which ages are looked at

double sum_of(const std::array<double, kStrata>& counts) { return std::accumulate(counts.begin(), counts.end(), 0.0); }

}  // namespace

// ---- what happens

void Maturing::decided(std::int64_t now_ms, std::size_t stratum) {
  Span& span = current(now_ms);
  ++span.decisions[stratum];
  const std::int64_t within = std::clamp<std::int64_t>(now_ms - span.number * span_ms_, 0, span_ms_ - 1);
  ++span.made[static_cast<std::size_t>(within * static_cast<std::int64_t>(kParts) / span_ms_)];
}

void Maturing::answered(std::int64_t issued_ms, std::int64_t now_ms, std::size_t stratum, const Judged& judged) {
  if (!std::isfinite(judged.loss) || !std::isfinite(judged.gain)) return;
  const Judged usual = losses_.labels() >= kFewLabels ? losses_.usual(stratum, now_ms - issued_ms) : judged;
  losses_.add(stratum, now_ms - issued_ms, judged);
  Span* span = find(issued_ms);
  if (span == nullptr || span->answered[stratum] >= span->decisions[stratum]) return;  // made before the watch began
  ++span->answered[stratum];
  for (double Judged::*what : kJudged) {
    span->sum.*what += judged.*what;
    span->usual.*what += usual.*what;
  }
}

void Maturing::given_up(std::int64_t issued_ms, std::size_t stratum) {
  if (Span* span = find(issued_ms)) ++span->given_up[stratum];
}

Maturing::Span* Maturing::find(std::int64_t ms) {
  const std::int64_t number = ms / span_ms_;
  const auto at = std::lower_bound(spans_.begin(), spans_.end(), number,
                                   [](const Span& span, std::int64_t wanted) { return span.number < wanted; });
  return at != spans_.end() && at->number == number ? &*at : nullptr;
}

// The clock may have been set back: then the newest span is still the current one.
Maturing::Span& Maturing::current(std::int64_t ms) {
  if (spans_.empty()) first_ms_ = ms;
  if (spans_.empty() || spans_.back().number < ms / span_ms_) {
    spans_.push_back({.number = ms / span_ms_});
    while (spans_.size() > kMostSpans) widen();
  }
  return spans_.back();
}

// Makes room: forgets the oldest span, or makes all of them twice as long where they would not reach back far enough.
void Maturing::widen() {
  double decisions = 0;
  for (const Span& span : spans_) decisions += sum_of(span.decisions);
  const std::int64_t reach = (spans_.back().number - spans_.front().number) * span_ms_;
  const bool reaches = losses_.labels() >= kFewLabels && reach >= kReach * losses_.nearly_all_ms();
  if (reaches && decisions >= kFewDecisions * static_cast<double>(spans_.size())) return spans_.pop_front();
  std::deque<Span> wider;
  for (const Span& span : spans_) {
    if (wider.empty() || wider.back().number != span.number / 2) {
      wider.push_back({.number = span.number / 2, .checked = span.checked});
    }
    Span& into = wider.back();
    for (std::size_t s = 0; s < kStrata; ++s) {
      into.decisions[s] += span.decisions[s];
      into.answered[s] += span.answered[s];
      into.given_up[s] += span.given_up[s];
    }
    for (double Judged::*what : kJudged) {
      into.sum.*what += span.sum.*what;
      into.usual.*what += span.usual.*what;
    }
    for (std::size_t p = 0; p < kParts; ++p)
      into.made[(static_cast<std::size_t>(span.number % 2) * kParts + p) / 2] += span.made[p];
    into.checked = into.checked && span.checked;
  }
  spans_ = std::move(wider);
  span_ms_ *= 2;
}

bool Maturing::is_sound() const {
  if (span_ms_ < 1000 || spans_.size() > kMostSpans || !losses_.is_sound()) return false;
  return std::is_sorted(spans_.begin(), spans_.end(),
                        [](const Span& a, const Span& b) { return a.number <= b.number; });
}

// ---- what is expected

// What labels take is known from those that came; a history that is hardly longer has not seen the latest of them.
bool Maturing::too_early(std::int64_t now_ms) const {
  return losses_.labels() < kFewLabels || now_ms - first_ms_ < kSeen * losses_.nearly_all_ms();
}

bool Maturing::is_complete(const Span& span, std::int64_t now_ms) const {
  const double open = sum_of(span.decisions) - sum_of(span.answered) - sum_of(span.given_up);
  const std::int64_t end = (span.number + 1) * span_ms_;
  if (open <= 0) return now_ms >= end;
  return !too_early(now_ms) && now_ms - end > losses_.nearly_all_ms();
}

// How old its decisions are, those of a part spread evenly over it. Labels that are missing are above all those of its
// newest decisions, and these have not waited as long as the middle of a long span.
Ages Maturing::ages_of(const Span& span, std::int64_t now_ms) const {
  const double made = std::accumulate(span.made.begin(), span.made.end(), 0.0);
  const auto parts = static_cast<std::int64_t>(kParts);
  const std::int64_t begin = span.number * span_ms_;
  Ages ages;
  for (std::int64_t p = 0; p < parts; ++p) {
    const std::int64_t from = begin + p * span_ms_ / parts, to = std::min(now_ms, begin + (p + 1) * span_ms_ / parts);
    const double share = made > 0 ? span.made[static_cast<std::size_t>(p)] / made : 1.0 / static_cast<double>(parts);
    const std::int64_t length = std::max<std::int64_t>(0, to - from);
    for (std::int64_t k = 0; share > 0 && k < kPoints; ++k)
      ages.add(share / kPoints, now_ms - from - (2 * k + 1) * length / (2 * kPoints));
  }
  return ages;
}

// `later`: the share of labels that take longer than the decisions are old.
double Maturing::awaited(const Span& span, std::size_t stratum, double later) const {
  const double open = span.decisions[stratum] - span.answered[stratum] - span.given_up[stratum];
  if (open <= 0) return 0;
  later *= answered_share_;
  return open * later / (later + (1 - answered_share_) + 1e-12);  // of those that are open, some are lost
}

// The variance of what spans have of their own, by moments: residuals of complete spans, less what chance explains.
Maturing::Effects Maturing::effects(std::int64_t now_ms, double Judged::*what) const {
  std::array<Moments, kStrata> usual;
  for (std::size_t s = 0; s < kStrata; ++s) usual[s] = losses_.of(s, what);
  double spans = 0, labels = 0, own = 0, noise = 0, mean = 0;
  for (const Span& span : spans_) {
    const double count = sum_of(span.answered);
    if (count < kFewLabels) continue;
    double expected = 0, spread = 0;
    for (std::size_t s = 0; s < kStrata; ++s) {
      expected += span.answered[s] * usual[s].mean;
      spread += span.answered[s] * usual[s].variance;
    }
    labels += count;
    noise += spread;
    mean += expected;
    if (!is_complete(span, now_ms)) continue;
    const double off = (span.sum.*what - expected) / count;
    ++spans;
    own += off * off - spread / (count * count);
  }
  if (labels <= 0) return {};
  const double guess = kGuessedEffect * mean / labels;
  return {spans < static_cast<double>(kFewSpans) ? guess * guess : std::max(0.0, own / spans), noise / labels};
}

Maturing::Estimate Maturing::estimate(const Span& span, std::int64_t now_ms, const Effects& effects,
                                      const LateSums& late, double Judged::*what) const {
  Estimate found{.sum = span.sum.*what, .labels = sum_of(span.answered)};
  if (is_complete(span, now_ms)) return found;
  const Ages ages = ages_of(span, now_ms);
  for (std::size_t s = 0; s < kStrata; ++s) {
    if (span.decisions[s] <= 0) continue;
    const double missing = awaited(span, s, late.share_beyond(s, ages));
    if (missing <= 0) continue;
    const Moments rest = late.beyond(s, ages, what);
    found.to_come += missing;
    found.sum += missing * rest.mean;
    found.variance += missing * rest.variance * (1 + missing / (rest.count + 1));
  }
  if (found.to_come <= 0) return found;
  const double known =
      effects.noise > 0 ? effects.variance / (effects.variance + effects.noise / std::max(1e-9, found.labels)) : 0;
  const double late_sum = found.sum - span.sum.*what;
  double own = found.labels > 0 ? found.to_come * known * (span.sum.*what - span.usual.*what) / found.labels : 0;
  if (what == &Judged::loss && late_sum >= 0) own = std::max(own, -late_sum);  // no loss is below zero
  found.sum += own;
  found.variance += found.to_come * found.to_come * effects.variance * (1 - known + kLateOwn * known);
  return found;
}

// Of an interval when this share of the labels is in: as wide as those had to be that were made with as many.
double Maturing::deviations(double share) const {
  std::size_t k = 0;
  while (k + 1 < kShares.size() && share >= kShares[k + 1]) ++k;
  return intervals_[k].deviations();
}

template <class Spans>
Prospect Maturing::prospect(const Spans& spans, std::int64_t now_ms) const {
  Prospect found;
  if (spans.empty()) return found;
  const LateSums late(losses_);
  found.from_ms = spans.front()->number * span_ms_;
  found.to_ms = (spans.back()->number + 1) * span_ms_;
  for (double Judged::*what : kJudged) {
    Expected& told = what == &Judged::loss ? found.loss : found.gain;
    const Effects between = effects(now_ms, what);
    Estimate all;
    double so_far = 0;
    for (const Span* span : spans) {
      const Estimate one = estimate(*span, now_ms, between, late, what);
      all.sum += one.sum;
      all.variance += one.variance;
      all.labels += one.labels;
      all.to_come += one.to_come;
      so_far += span->sum.*what;
    }
    found.labels = all.labels;
    found.to_come = all.to_come;
    if (all.labels > 0) told.so_far = so_far / all.labels;
    const double count = all.labels + all.to_come;
    if (count <= 0 || too_early(now_ms)) continue;
    told.expected = all.sum / count;
    const double width = deviations(all.labels / count) * std::sqrt(all.variance) / count;
    told.low = told.expected - width;
    if (what == &Judged::loss && so_far >= 0) told.low = std::max(0.0, told.low);  // no loss is below zero
    told.high = told.expected + width;
  }
  for (const Span* span : spans) found.decisions += sum_of(span->decisions);
  return found;
}

std::vector<Prospect> Maturing::spans(std::int64_t now_ms, double fewest) const {
  std::vector<Prospect> found;
  std::vector<const Span*> together;
  double decisions = 0;
  for (const Span& span : spans_) {
    together.push_back(&span);
    decisions += sum_of(span.decisions);
    if (decisions < fewest && &span != &spans_.back()) continue;
    found.push_back(prospect(together, now_ms));
    together.clear();
    decisions = 0;
  }
  return found;
}

Prospect Maturing::lately(std::int64_t now_ms, double decisions) const {
  std::deque<const Span*> newest;
  double count = 0;
  for (auto span = spans_.rbegin(); span != spans_.rend(); ++span) {
    if (count >= decisions && is_complete(*span, now_ms)) break;
    newest.push_front(&*span);
    count += sum_of(span->decisions);
  }
  return prospect(newest, now_ms);
}

Prospect Maturing::between(std::int64_t from_ms, std::int64_t to_ms, std::int64_t now_ms) const {
  std::deque<const Span*> found;
  for (const Span& span : spans_) {
    const std::int64_t middle = span.number * span_ms_ + span_ms_ / 2;
    if (middle >= from_ms && middle < to_ms) found.push_back(&span);
  }
  return prospect(found, now_ms);
}

std::optional<Prospect> Maturing::complete(std::int64_t now_ms, double labels) const {
  std::deque<const Span*> newest;
  double count = 0;
  for (auto span = spans_.rbegin(); span != spans_.rend() && count < labels; ++span) {
    if (!is_complete(*span, now_ms)) continue;
    newest.push_front(&*span);
    count += sum_of(span->answered);
  }
  if (count <= 0) return std::nullopt;
  return prospect(newest, now_ms);
}

// Where all labels take about as long, spans that wait have hardly any to come by now, and those that have just ended
// should have all of theirs.
Arrivals Maturing::arrivals(std::int64_t now_ms) const {
  Arrivals waiting, ended;
  if (too_early(now_ms)) return waiting;
  const LateSums late(losses_);
  for (const Span& span : spans_) {
    const std::int64_t since = now_ms - (span.number + 1) * span_ms_;
    if (since < span_ms_ / 2 || since > 2 * losses_.nearly_all_ms() + span_ms_) continue;
    Arrivals& found = is_complete(span, now_ms) ? ended : waiting;
    const Ages ages = ages_of(span, now_ms);
    for (std::size_t s = 0; s < kStrata; ++s) {
      const double awaited = span.decisions[s] - span.given_up[s];
      found.expected += answered_share_ * awaited * (1 - late.share_beyond(s, ages));
      found.came += span.answered[s];
    }
  }
  return ended.overdue() ? ended : waiting;
}

std::optional<double> Maturing::matured(std::int64_t age_ms, std::int64_t now_ms) const {
  if (too_early(now_ms)) return std::nullopt;
  return answered_share_ * losses_.share_within(age_ms);
}

// ---- what became of it

std::optional<double> Maturing::last_known(std::int64_t now_ms) const {
  double labels = 0, loss = 0;
  for (auto span = spans_.rbegin(); span != spans_.rend() && labels < kFewDecisions; ++span) {
    if (!is_complete(*span, now_ms)) continue;
    labels += sum_of(span->answered);
    loss += span->sum.loss;
  }
  if (labels <= 0) return std::nullopt;
  return loss / labels;
}

void Maturing::review(std::int64_t now_ms) {
  if (too_early(now_ms)) return;
  double decisions = 0, answered = 0;
  for (const Span& span : spans_) {
    if (!is_complete(span, now_ms)) continue;
    decisions += sum_of(span.decisions);
    answered += sum_of(span.answered);
  }
  answered_share_ = decisions > 0 && answered > 0 ? answered / decisions : 1;
  const std::optional<double> known = last_known(now_ms);
  const Effects between = effects(now_ms, &Judged::loss);
  const LateSums late(losses_);
  for (Span& span : spans_) {
    if (span.checked || now_ms < (span.number + 1) * span_ms_) continue;
    const Estimate now = estimate(span, now_ms, between, late, &Judged::loss);
    if (now.labels + now.to_come <= 0) continue;
    if (!is_complete(span, now_ms)) {
      const double count = now.labels + now.to_come, share = now.labels / count;
      for (std::size_t k = 0; k < kShares.size(); ++k) {
        Note& note = span.notes[k];
        const bool next = k + 1 < kShares.size() && share >= kShares[k + 1];
        if (share < kShares[k] || next || !std::isnan(note.expected) || !known) continue;
        const double deviation = std::sqrt(now.variance) / count;
        note = {now.sum / count, deviation, intervals_[k].deviations() * deviation, *known};
      }
      continue;
    }
    span.checked = true;
    if (now.labels < kFewLabels) continue;
    const double came = span.sum.loss / now.labels;
    for (std::size_t k = 0; k < kShares.size(); ++k) {
      const Note& note = span.notes[k];
      if (std::isnan(note.expected) || note.deviation <= 0) continue;
      const double off = std::fabs(came - note.expected);
      intervals_[k].check(off / note.deviation);
      Checks& checks = checks_[k];
      ++checks.estimates;
      checks.off += off;
      checks.last_known_off += std::fabs(came - note.last_known);
      checks.within += off <= note.width;
    }
  }
}

std::vector<Noted> Maturing::noted() const {
  std::vector<Noted> found;
  for (const Span& span : spans_)
    for (std::size_t k = 0; k < kShares.size(); ++k) {
      const Note& note = span.notes[k];
      if (span.checked || std::isnan(note.expected)) continue;
      found.push_back({span.number * span_ms_, (span.number + 1) * span_ms_, kShares[k], note.expected, note.width,
                       note.last_known});
    }
  return found;
}

std::vector<Checks> Maturing::checks() const {
  std::vector<Checks> found(checks_.begin(), checks_.end());
  for (std::size_t k = 0; k < found.size(); ++k) {
    found[k].share = kShares[k];
    if (found[k].estimates <= 0) continue;
    for (double Checks::*mean : {&Checks::off, &Checks::last_known_off, &Checks::within})
      found[k].*mean /= found[k].estimates;
  }
  return found;
}

}  // namespace tarry::quality
