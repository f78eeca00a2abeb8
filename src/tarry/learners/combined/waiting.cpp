#include "tarry/learners/combined/waiting.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/base/error.h"
#include "tarry/learners/learner.h"

namespace tarry {

using namespace waiting;

namespace {

constexpr std::array<double, Waiting::kStrata - 1> kMargins = {-3.5, -2, -1, 0, 1, 2, 3.5};
constexpr double kLeast = 1e-6;  // no share is smaller
constexpr double kUnseen = 0.3;  // how readily open rounds are taken for a class that was never seen

double log_of(double share) { return tarry::log(std::max(kLeast, share)); }

}  // namespace

double Waiting::begins_at(std::size_t age) const {
  if (age == 0) return 0;
  return clock_ == Clock::kDue ? due_at(std::min(age - 1, kDueLooks - 1)) : static_cast<double>(age_at(age - 1));
}

std::size_t Waiting::most_ages() const { return clock_ == Clock::kDue ? kDueLooks + 1 : kMostAges; }

std::size_t Waiting::stratum(double prediction) const {
  if (classes_ > 2) return std::min(kStrata - 1, static_cast<std::size_t>(std::max(0.0, prediction)));
  std::size_t below = 0;  // without branches: every look at an open round asks
  for (const double margin : kMargins) below += margin < prediction ? 1 : 0;
  return below;
}

std::size_t Waiting::age_of(double waited) const {
  if (clock_ == Clock::kRounds) return age_after(waited);
  std::size_t age = 0;
  while (age + 1 < most_ages() && begins_at(age + 1) <= waited) ++age;
  return age;
}

void Waiting::reach(std::size_t age) {
  if (cells_.size() > age + 1) return;
  cells_.resize(age + 2);
  lately_.resize(age + 2);
}

void Waiting::play(double prediction) {
  played_ += 1;
  if (classes_ < 2) return;
  reach(0);
  cells_[0][stratum(prediction)].entered += 1;
  cells_[0][kAll].entered += 1;
  if (played_ < again_) return;
  again_ = played_ + std::max(32.0, std::floor(played_ / kEvery));
  learn();
}

void Waiting::count_elsewhere(double prediction) {
  if (classes_ < 2) return;
  cells_[0][stratum(prediction)].entered -= 1;
  cells_[0][kAll].entered -= 1;
}

void Waiting::came(Round t, double prediction, std::size_t c) {
  came_at(played_ - static_cast<double>(t), prediction, c);
}

void Waiting::came_at(double waited, double prediction, std::size_t c) {
  if (classes_ < 2) return;
  const std::size_t age = age_of(waited), kind = std::min(c, kKinds - 1);
  reach(age);
  cells_[age][stratum(prediction)].came[kind] += 1;
  cells_[age][kAll].came[kind] += 1;
}

void Waiting::came_otherwise(double waited, double prediction, std::size_t before, std::size_t after) {
  if (classes_ < 2) return;
  const std::size_t age = age_of(waited);
  reach(age);
  for (const std::size_t s : {stratum(prediction), kAll}) {
    double& first = cells_[age][s].came[std::min(before, kKinds - 1)];
    first = std::max(0.0, first - 1);
    cells_[age][s].came[std::min(after, kKinds - 1)] += 1;
  }
}

void Waiting::came_of_age(std::size_t look, double prediction) {
  const std::size_t age = look + 1;
  if (classes_ < 2 || age >= most_ages()) return;
  reach(age);
  cells_[age][stratum(prediction)].entered += 1;
  cells_[age][kAll].entered += 1;
  lately_[age].open(played_);
}

// In each span of ages, the labels that came by the rounds that were open: those that are not yet as old as its end, or
// were given up before it, count half.
Waiting::Course Waiting::course(std::size_t stratum) const {
  Course course;
  course.open = {1};
  course.came = {Kinds{}};
  for (std::size_t age = 0; age + 1 < cells_.size(); ++age) {
    const Cell& cell = cells_[age][stratum];
    double labels = 0;
    for (double n : cell.came) labels += n;
    const double inside = std::max(0.0, cell.entered - labels - cells_[age + 1][stratum].entered);
    const double at_risk = cell.entered - inside / 2;
    if (at_risk < kEnough) break;
    Kinds so_far = course.came.back();
    const double open = course.open.back(), chance = std::min(1.0, labels / at_risk);
    for (std::size_t c = 0; c < kinds() && labels > 0; ++c) {
      so_far[c] += open * chance * cell.came[c] / labels;
      course.labels[c] += cell.came[c];
    }
    course.came.push_back(so_far);
    course.open.push_back(open * (1 - chance));
    course.waits.push_back({labels, at_risk * (begins_at(age + 1) - begins_at(age))});
    course.last = age + 1;
  }
  for (const double share : course.open) course.log_open.push_back(log_of(share));
  share_out(stratum, course);
  return course;
}

// Rounds that are open for longer than anything is known of are like those that came; but a class that is more frequent
// among the latest labels, beyond chance, is at least as frequent among them.
void Waiting::share_out(std::size_t stratum, Course& course) const {
  if (!lost_.shares.empty()) return share_lost(course);
  Kinds late = {};
  double labels = 0, all = 0;
  const bool at_random = lost_.at_random;  // then the latest are like all others
  for (std::size_t age = course.last > kLatest ? course.last - kLatest : 0; age < course.last && !at_random; ++age)
    for (std::size_t c = 0; c < kinds(); ++c) {
      late[c] += cells_[age][stratum].came[c];
      labels += cells_[age][stratum].came[c];
    }
  for (std::size_t c = 0; c < kinds(); ++c) {
    const double surely = late[c] - kByChance * std::sqrt(late[c] + 1);
    const double came = course.answered() > 0 ? course.came[course.last][c] / course.answered() : 0;
    all += course.beyond[c] = std::max(came, labels > 0 ? surely / labels : 0);
  }
  for (double& share : course.beyond) share = all > 0 ? share / all : 0;
}

// The user says which share of each class never comes: of those that stay open there are so many more than of those
// that came. Whatever else is open will come, like those that came.
void Waiting::share_lost(Course& course) const {
  const double open = course.open[course.last];
  if (!(course.answered() > 0)) return;
  Kinds never = {};
  double all = 0;
  for (std::size_t c = 0; c < kinds(); ++c) {
    const double share = c < lost_.shares.size() ? std::min(lost_.shares[c], 0.999) : 0;
    all += never[c] = course.came[course.last][c] * share / (1 - share);
  }
  const double kept = all > open ? open / all : 1, rest = std::max(0.0, open - all);
  for (std::size_t c = 0; c < kinds(); ++c)
    course.beyond[c] = open > 0 ? (kept * never[c] + rest * course.came[course.last][c] / course.answered()) / open : 0;
}

// With one label more, so that it is never 0.
double Waiting::Course::hurry() const {
  double count = 1, waited = 0;
  for (std::size_t k = waits.size() > 2 ? waits.size() - 2 : 0; k < waits.size(); ++k) {
    count += waits[k].labels;
    waited += waits[k].rounds;
  }
  return count / std::max(1.0, waited);
}

Waiting::Evidence Waiting::evidence(const Course& course, std::size_t age, std::size_t kind) const {
  const std::size_t at = std::min(age, course.last);
  const double labels = course.labels[kind];
  const double in_all = course.came[course.last][kind] + course.open[course.last] * course.beyond[kind];
  const double open = std::max(kLeast, 1 - course.came[at][kind] / in_all);
  return {log_of(open) - course.log_open[at], (1 - open) / (labels * open + 0.5)};
}

void Waiting::learn() {
  ratio_.assign(cells_.size(), {});
  open_.assign(cells_.size(), 1.0);
  const Course all = course(kAll);
  for (std::size_t age = 0; age < open_.size(); ++age) open_[age] = all.open[std::min(age, all.last)];
  const auto seen = static_cast<std::size_t>(
      std::count_if(all.labels.begin(), all.labels.end(), [](double labels) { return labels > 0; }));
  if (otherwise_) return learn_default(all);
  if (seen == 1 && lost_.at_random) return;
  if (seen == 1)
    return guess_unseen(
        all, static_cast<std::size_t>(std::max_element(all.labels.begin(), all.labels.end()) - all.labels.begin()));
  if (seen > 1) learn_strata(all);
}

// Of each age and kind that has labels; beyond the last age that anything is known about it stays.
std::vector<std::array<Waiting::Evidence, Waiting::kKinds>> Waiting::evidence_by_age(const Course& course) const {
  std::vector<std::array<Evidence, kKinds>> by_age(ratio_.size());
  for (std::size_t age = kYoungest; age < by_age.size(); ++age)
    for (std::size_t c = 0; c < kinds(); ++c)
      if (course.labels[c] > 0)
        by_age[age][c] = age > course.last && age > kYoungest ? by_age[age - 1][c] : evidence(course, age, c);
  return by_age;
}

// A stratum's own evidence, and that of all as far as strata are alike.
void Waiting::learn_strata(const Course& all) {
  const auto of_all = evidence_by_age(all);
  for (std::size_t s = 0; s < kStrata; ++s) {
    const Course own = course(s);
    const auto of_own = evidence_by_age(own);
    for (std::size_t age = kYoungest; age < ratio_.size(); ++age)
      for (std::size_t c = 0; c < kinds(); ++c) {
        if (all.labels[c] == 0) continue;
        Evidence known = of_all[age][c];
        known.variance += kBetween * kBetween;
        if (own.labels[c] > 0) {
          const Evidence& mine = of_own[age][c];
          const double a = 1 / (mine.variance + 1e-9), b = 1 / known.variance;
          known = {(a * mine.ratio + b * known.ratio) / (a + b), 1 / (a + b)};
        } else {
          known.variance -= kBetween * kBetween;
        }
        ratio_[age][s][c] = believed(known.ratio, known.variance);
      }
  }
}

// Only one class was seen. Either labels are lost or late whatever their class, or what stays open is of a class that
// comes later: the likelier, the more labels have come of one class alone, the more rounds stay open, and the fewer
// labels come by now.
void Waiting::guess_unseen(const Course& all, std::size_t seen) {
  const double labels = all.labels[seen], came = all.came[all.last][seen];
  if (!(came > 0)) return;
  const double stuck = tarry::exp(-all.hurry() * begins_at(all.last)), stay = all.open[all.last] * stuck;
  const double odds = kUnseen * std::sqrt(labels) * stay / std::max(kLeast, 1 - stay);
  const double share = stuck * odds / (1 + odds);
  for (std::size_t age = kYoungest; age < ratio_.size(); ++age) {
    const std::size_t at = std::min(age, all.last);
    const double open = all.open[at], left = 1 - all.came[at][seen] / came;
    for (std::size_t c = 0; c < kinds(); ++c) {
      const double of_class = share * (c == seen ? left : 1) + (1 - share) * open;
      for (auto& stratum : ratio_[age]) stratum[c] = log_of(of_class) - log_of(open);
    }
  }
}

// The user says what becomes of rounds that stay open: all others come before that. Until labels show when, at any age
// alike.
void Waiting::learn_default(const Course& all) {
  const double told = clock_ == Clock::kDue ? 1 : static_cast<double>(otherwise_->rounds);
  const double end = told > 0 ? told : std::max(1.0, 2 * begins_at(all.last));
  for (std::size_t age = kYoungest; age < ratio_.size(); ++age) {
    const std::size_t at = std::min(age, all.last);
    const double alike = std::max(0.0, 1 - begins_at(age) / end);
    for (std::size_t c = 0; c < kinds(); ++c) {
      const double labels = all.labels[c], came = all.came[all.last][c];
      double open = 1;
      if (c == otherwise_->kind)
        open = 1 - all.came[at][c] / std::max(kLeast, came + all.open[all.last]);
      else
        open = (alike + labels * (came > 0 ? 1 - all.came[at][c] / came : 0)) / (1 + labels);
      for (auto& stratum : ratio_[age]) stratum[c] = log_of(open) - log_of(all.open[at]);
    }
  }
}

bool Waiting::speaks() const { return !ratio_.empty() && played_ > kEarliest; }

bool Waiting::silent(std::size_t look, double prediction) const {
  const std::size_t age = look + 1;
  if (age >= ratio_.size() || played_ <= kEarliest) return true;
  const Kinds& known = ratio_[age][stratum(prediction)];
  return std::all_of(known.begin(), known.end(), [](double ratio) { return ratio == 0; });
}

// What says() says differs less between classes than what is known: it mixes that with what is the same for all.
bool Waiting::says_less(std::size_t look, double prediction, double than) const {
  if (silent(look, prediction)) return true;
  const Kinds& known = ratio_[look + 1][stratum(prediction)];
  const auto [least, most] = std::minmax_element(known.begin(), known.begin() + static_cast<std::ptrdiff_t>(kinds()));
  return *most - *least < than;
}

void Waiting::says(std::size_t look, double prediction, std::span<double> of_class) const {
  std::fill(of_class.begin(), of_class.end(), 0.0);
  if (silent(look, prediction)) return;
  const std::size_t age = look + 1;
  const Kinds& known = ratio_[age][stratum(prediction)];
  const double others = otherwise_ ? 0 : lately_[age].more_than(open_[age]), open = std::max(kLeast, open_[age]);
  const double of_all = log_of((1 - others) * open + others);
  for (std::size_t c = 0; c < of_class.size(); ++c) {
    const double ratio = known[std::min(c, kKinds - 1)];
    const double regular = open * std::min(1 / open, tarry::exp(ratio));
    of_class[c] = log_of((1 - others) * regular + others) - of_all;
  }
}

void Waiting::save(ByteWriter& out) const {
  out.f64(played_);
  out.f64(again_);
  out.u64(cells_.size());
  for (std::size_t age = 0; age < cells_.size(); ++age) {
    out.reals(std::vector{lately_[age].share, lately_[age].at});
    for (const Cell& cell : cells_[age]) {
      out.f64(cell.entered);
      out.reals(std::span(cell.came).first(kinds()));
    }
  }
  out.u64(ratio_.size());
  for (std::size_t age = 0; age < ratio_.size(); ++age) {
    out.f64(open_[age]);
    for (const Kinds& stratum : ratio_[age]) out.reals(std::span(stratum).first(kinds()));
  }
}

void Waiting::load(ByteReader& in) {
  const auto corrupt = [] { throw Error(Code::kCorrupt, "snapshot: what is known of waiting is impossible"); };
  const auto ages = [&] {
    const std::uint64_t count = in.u64();
    if (count > most_ages() + 1) corrupt();
    return static_cast<std::size_t>(count);
  };
  const auto each = [&] {
    Kinds x = {};
    const auto read = in.finites(kinds());
    std::copy(read.begin(), read.end(), x.begin());
    return x;
  };
  played_ = in.size();
  again_ = in.size();
  cells_.assign(ages(), {});
  lately_.assign(cells_.size(), {});
  for (std::size_t age = 0; age < cells_.size(); ++age) {
    const auto lately = in.finites(2);
    lately_[age] = {lately[0], lately[1]};
    if (!(lately[0] >= 0 && lately[0] <= 1 && lately[1] >= 0)) corrupt();
    for (Cell& cell : cells_[age]) {
      cell.entered = in.size();
      cell.came = each();
      if (std::any_of(cell.came.begin(), cell.came.end(), [](double n) { return n < 0; })) corrupt();
    }
  }
  ratio_.assign(ages(), {});
  open_.assign(ratio_.size(), 0.0);
  if (ratio_.size() > cells_.size()) corrupt();
  for (std::size_t age = 0; age < ratio_.size(); ++age) {
    open_[age] = in.size();
    if (open_[age] > 1) corrupt();
    for (Kinds& stratum : ratio_[age]) {
      stratum = each();
      if (std::any_of(stratum.begin(), stratum.end(), [](double r) { return std::fabs(r) > 100; })) corrupt();
    }
  }
}

double lost_while_open(const AnyLoss& loss, std::span<const double> predictions, std::span<const double> says) {
  Vec each(says.size());
  loss.probabilities(predictions, each);
  double likely = 0;
  for (std::size_t c = 0; c < each.size(); ++c) likely += each[c] * tarry::exp(says[c]);
  return -tarry::log(std::max(1e-12, likely));
}

}  // namespace tarry
