#include "tarry/quality/drift.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

#include "tarry/base/error.h"
#include "tarry/base/random.h"

namespace tarry::quality {
namespace {

constexpr double kYearMs = 365.25 * 24 * 3'600'000;
constexpr std::uint64_t kDriftSeed = 29;
constexpr std::int64_t kMostBlocksClosed = kWeekMs / kBlockMs;
constexpr std::size_t kLongestColumn = 200;  // bytes of a name that are kept
enum Others : std::size_t { kNewNames, kPredictions, kLabels, kDelays, kOthers };
constexpr DriftKind kKindOf[kOthers] = {DriftKind::kNewNames, DriftKind::kPrediction, DriftKind::kLabel,
                                        DriftKind::kDelay};

// FNV-1a: the same on every machine.
std::uint64_t hash_of_name(std::string_view name) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  return hash;
}

}  // namespace

std::string_view name_of(DriftKind kind) {
  constexpr std::string_view kNames[kDriftKinds] = {"feature", "new_names", "prediction", "label", "delay", "arrivals"};
  return kNames[static_cast<std::size_t>(kind)];
}

double Drift::uniform() { return Random(kDriftSeed).uniform(drawn_++); }

void Drift::advance(std::int64_t now_ms) {
  if (first_ms_ == 0) return;  // a model that never decided
  told_ms_ = std::max(told_ms_, now_ms);
  const std::int64_t block = told_ms_ / kBlockMs;
  if (block - block_ > kMostBlocksClosed) block_ = block - kMostBlocksClosed;  // nobody was there for long
  for (; block_ < block; ++block_) {
    close(block_ * kBlockMs);
    alive_ = false;
  }
  alive_ = true;
}

void Drift::decided(std::int64_t now_ms, std::uint64_t round) {
  end_decision();
  if (first_ms_ == 0) {
    first_ms_ = told_ms_ = now_ms;
    block_ = now_ms / kBlockMs;
    for (std::size_t k = 0; k < kOthers; ++k) others_.emplace_back(now_ms);
    arrivals_.emplace_back(now_ms);
  }
  advance(now_ms);
  ++decisions_;
  next_ = 0;
  is_new_ = false;
  round_ = round;
}

void Drift::end_decision() {
  if (round_ == 0) return;
  for (Feature& feature : features_)
    if (feature.last != round_) feature.column.lacked(round_);
  round_ = 0;
}

void Drift::feature(std::string_view name, const ColumnValue& value) {
  name = name.substr(0, kLongestColumn);
  if (next_ >= features_.size() || features_[next_].name != name) {
    const auto at = std::find_if(features_.begin(), features_.end(), [&](const Feature& f) { return f.name == name; });
    next_ = static_cast<std::size_t>(at - features_.begin());
  }
  const bool young = told_ms_ - first_ms_ < kLearnBinsMs;
  if (next_ < features_.size()) {
    Feature& found = features_[next_++];
    ++found.seen;
    found.last = round_;
    return found.column.saw(
        value, [this] { return uniform(); }, round_);
  }
  const std::uint64_t hash = names_known_ ? hash_of_name(name) : 0;
  if (young && names_known_) {
    names_.insert(hash);
    names_known_ = names_.size() <= kMostNames;
    if (!names_known_) names_ = {};
  }
  if (young && features_.size() < kMostColumns) {
    features_.push_back({std::string(name), DriftColumn(first_ms_)});
    features_.back().seen = 1;
    features_.back().column.saw(
        value, [this] { return uniform(); }, 0);
    next_ = features_.size();
  }
  if (young || !names_known_ || names_.contains(hash)) return;
  if (!std::exchange(is_new_, true)) {
    ++new_;
    if (round_ != 0 && new_in_.size() < kMostRounds) new_in_.push_back(round_);
  }
  if (new_name_.empty()) new_name_ = name;
}

void Drift::predicted(const ColumnValue& value) {
  if (!others_.empty())
    others_[kPredictions].saw(
        value, [this] { return uniform(); }, round_);
}

void Drift::labelled(std::int64_t now_ms, const std::optional<ColumnValue>& label, std::int64_t wait_ms,
                     std::uint64_t round) {
  if (first_ms_ == 0) return;
  advance(now_ms);
  const auto draw = [this] { return uniform(); };
  if (label) others_[kLabels].saw(*label, draw, round);
  others_[kDelays].saw(static_cast<double>(std::max<std::int64_t>(0, wait_ms)), draw, round);
  arrivals_[0].came(wait_ms);
}

void Drift::tell(ScoredSteps::Turn turn, DriftKind kind, const std::string& column, std::int64_t since_ms,
                 const Difference& difference, std::int64_t now_ms) {
  if (turn == ScoredSteps::Turn::kNone) return;
  if (turn == ScoredSteps::Turn::kOver) {
    for (Alarm& alarm : alarms_)
      if (alarm.over_ms == 0 && alarm.kind == kind && alarm.column == column) alarm.over_ms = now_ms;
    return;
  }
  ++raised_[static_cast<std::size_t>(kind)];
  const std::uint64_t number = alarms_.empty() ? 1 : alarms_.back().number + 1;
  alarms_.push_back({kind, column, since_ms, now_ms, 0, difference, number});
  if (alarms_.size() <= kAlarmsKept) return;
  const auto over = std::find_if(alarms_.begin(), alarms_.end(), [](const Alarm& a) { return a.over_ms != 0; });
  alarms_.erase(over == alarms_.end() ? alarms_.begin() : over);
}

// The same of a column, with the rounds behind it.
void Drift::tell(ScoredSteps::Turn turn, DriftKind kind, const std::string& column, DriftColumn& of,
                 std::int64_t now_ms) {
  tell(turn, kind, column, of.since_ms(), of.difference(), now_ms);
  if (of.alarmed()) add_rounds(kind, column, of.take_rounds());
}

void Drift::add_rounds(DriftKind kind, const std::string& column, const std::vector<std::uint64_t>& rounds) {
  for (Alarm& alarm : alarms_) {
    if (alarm.over_ms != 0 || alarm.kind != kind || alarm.column != column) continue;
    const std::size_t room = kMostRounds - std::min(kMostRounds, alarm.rounds.size());
    alarm.rounds.insert(alarm.rounds.end(), rounds.begin(),
                        rounds.begin() + static_cast<std::ptrdiff_t>(std::min(room, rounds.size())));
  }
}

void Drift::close(std::int64_t from_ms) {
  if (!alive_) return;
  end_decision();
  const std::int64_t now_ms = from_ms + kBlockMs;
  const auto shares = static_cast<double>(features_.size() + kOthers + arrivals_.size());
  DriftColumn::Block block{.from_ms = from_ms, .budget_per_ms = kFalseAlarmsAYear / kYearMs / shares};
  for (Feature& feature : features_) {
    block.missing = decisions_ - std::exchange(feature.seen, 0);
    block.uniform = uniform();
    tell(feature.column.close(block), DriftKind::kFeature, feature.name, feature.column, now_ms);
  }
  block.missing = 0;
  if (names_known_ && !names_.empty()) {
    const auto draw = [this] { return uniform(); };
    if (new_ > 0) others_[kNewNames].saw(std::string_view("new"), draw, 0, static_cast<float>(new_));
    if (decisions_ > new_)
      others_[kNewNames].saw(std::string_view("known"), draw, 0, static_cast<float>(decisions_ - new_));
  }
  for (std::size_t k = 0; k < kOthers; ++k) {
    DriftColumn& column = others_[k];
    block.uniform = uniform();
    const ScoredSteps::Turn turn = column.close(block);
    tell(turn, kKindOf[k], k == kNewNames ? new_name_ : std::string(), column, now_ms);
    if (k != kNewNames) continue;
    if (column.alarmed()) add_rounds(DriftKind::kNewNames, new_name_, std::exchange(new_in_, {}));
    if (turn == ScoredSteps::Turn::kOver) new_name_.clear();
  }
  block.uniform = uniform();
  const ScoredSteps::Turn turn = arrivals_[0].close(block, decisions_);
  tell(turn, DriftKind::kArrivals, "", arrivals_[0].since_ms(), {{}, arrivals_[0].expected(), arrivals_[0].labels()},
       now_ms);
  if (!others_[kNewNames].alarmed() && new_ == 0) {
    new_name_.clear();
    new_in_.clear();
  }
  decisions_ = new_ = 0;
}

std::size_t Drift::lasting(DriftKind kind) const {
  return static_cast<std::size_t>(std::count_if(
      alarms_.begin(), alarms_.end(), [&](const Alarm& alarm) { return alarm.kind == kind && alarm.over_ms == 0; }));
}

void Drift::save(ByteWriter& out) const {
  for (const std::int64_t x : {first_ms_, block_, told_ms_}) out.i64(x);
  out.u64(drawn_);
  out.f64(decisions_);
  out.f64(new_);
  out.text(new_name_);
  out.u64(alive_ ? 1 : 0);
  out.u64(features_.size());
  for (const Feature& feature : features_) {
    out.text(feature.name);
    out.f64(feature.seen);
    feature.column.save(out);
  }
  out.u64(names_known_ ? 1 : 0);
  out.u64(names_.size());
  for (const std::uint64_t name : names_) out.u64(name);
  out.u64(arrivals_.size());
  for (const DriftColumn& column : others_) column.save(out);
  for (const LabelArrivals& one : arrivals_) one.save(out);
  out.u64(alarms_.size());
  for (const Alarm& alarm : alarms_) save_alarm(out, alarm);
  for (const std::uint64_t count : raised_) out.u64(count);
}

void Drift::save_alarm(ByteWriter& out, const Alarm& alarm) {
  out.u64(static_cast<std::uint64_t>(alarm.kind));
  out.text(alarm.column);
  for (const std::int64_t x : {alarm.since_ms, alarm.raised_ms, alarm.over_ms}) out.i64(x);
  out.u64(alarm.difference.bin.kind);
  out.f64(alarm.difference.bin.low);
  out.f64(alarm.difference.bin.high);
  out.text(alarm.difference.bin.word);
  out.f64(alarm.difference.usual);
  out.f64(alarm.difference.now);
  out.u64(alarm.number);
  out.u64(alarm.rounds.size());
  for (const std::uint64_t round : alarm.rounds) out.u64(round);
}

namespace {

std::uint64_t bounded(std::uint64_t count, std::size_t most) {
  if (count > most) throw Error(Code::kCorrupt, "drift: more than there can be");
  return count;
}

}  // namespace

Alarm Drift::load_alarm(ByteReader& in, std::uint64_t form) {
  Alarm alarm;
  alarm.kind = static_cast<DriftKind>(bounded(in.u64(), kDriftKinds - 1));
  alarm.column = in.text();
  for (std::int64_t* x : {&alarm.since_ms, &alarm.raised_ms, &alarm.over_ms}) *x = in.i64();
  alarm.difference.bin.kind = static_cast<BinName::Kind>(bounded(in.u64(), BinName::kMissing));
  alarm.difference.bin.low = in.f64();
  alarm.difference.bin.high = in.f64();
  alarm.difference.bin.word = in.text();
  alarm.difference.usual = in.f64();
  alarm.difference.now = in.f64();
  if (form < 2) return alarm;
  alarm.number = in.u64();
  for (std::uint64_t left = bounded(in.count(), kMostRounds); left > 0; --left) alarm.rounds.push_back(in.u64());
  return alarm;
}

Drift Drift::load(ByteReader& in, std::uint64_t form) {
  Drift drift;
  for (std::int64_t* x : {&drift.first_ms_, &drift.block_, &drift.told_ms_}) *x = in.i64();
  drift.drawn_ = in.u64();
  drift.decisions_ = in.size();
  drift.new_ = in.size();
  drift.new_name_ = in.text();
  drift.alive_ = in.flag();
  for (std::uint64_t left = bounded(in.count(), kMostColumns); left > 0; --left) {
    std::string name = in.text();
    const double seen = in.size();
    drift.features_.push_back({std::move(name), DriftColumn::load(in), seen});
  }
  drift.names_known_ = in.flag();
  for (std::uint64_t left = bounded(in.count(), kMostNames + 1); left > 0; --left) drift.names_.insert(in.u64());
  if (bounded(in.u64(), 1) == 1) {
    for (std::size_t k = 0; k < kOthers; ++k) drift.others_.push_back(DriftColumn::load(in));
    drift.arrivals_.push_back(LabelArrivals::load(in));
  }
  if ((drift.first_ms_ == 0) != drift.arrivals_.empty()) throw Error(Code::kCorrupt, "drift: half a state");
  for (std::uint64_t left = bounded(in.count(), kAlarmsKept); left > 0; --left) {
    Alarm alarm = load_alarm(in, form);
    const std::uint64_t before = drift.alarms_.empty() ? 0 : drift.alarms_.back().number;
    if (form < 2) alarm.number = before + 1;
    if (alarm.number <= before) throw Error(Code::kCorrupt, "drift: alarms out of order");
    drift.alarms_.push_back(std::move(alarm));
  }
  for (std::uint64_t& count : drift.raised_) count = in.u64();
  return drift;
}

}  // namespace tarry::quality
