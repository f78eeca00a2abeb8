// What is known of waiting: how long the labels of each class take, and so what it says of a round that it is still
// open. Labels are told apart by class within strata of the prediction, as competing risks (Aalen and Johansen), so
// that delays which a feature causes are not blamed on the class (docs/theory.md, 12.2).
//
// Assumed, where the labels that came cannot say it:
//   Rounds open longer than any label is known to take are like those that came, but with at least as many of a class
//   that is clearly more frequent among the latest labels. If one class loses more labels than another, the data cannot
//   show it.
//   If all n labels are of one class and a share u of the rounds stays open, these are of another class with odds
//   0.3 √n u/(1 − u).
//   If more rounds are open than ever before, it is an outage: S_y becomes (1 − λ) S_y + λ, with λ the excess.
//   With a default label, rounds that stay open are of that class; with `lost`, a share of each class never comes.
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/learners/believed_waits.h"
#include "tarry/learners/combined/waiting_terms.h"
#include "tarry/learners/learner.h"

namespace tarry {

class Waiting {
 public:
  static constexpr std::size_t kKinds = 8;   // classes that are told apart; the eighth is all others
  static constexpr std::size_t kStrata = 8;  // of predictions at play

  // Ages are rounds, or shares of the time until a round is due.
  enum class Clock : std::uint8_t { kRounds, kDue };

  // With fewer than two classes nothing is ever known.
  explicit Waiting(std::size_t classes, std::optional<Default> otherwise = std::nullopt, Lost lost = {},
                   Clock clock = Clock::kRounds)
      : classes_(classes), otherwise_(otherwise), lost_(std::move(lost)), clock_(clock) {}

  std::size_t classes() const { return classes_; }
  double played() const { return played_; }
  // Of a prediction: the margin of two classes, or the likeliest of several.
  std::size_t stratum(double prediction) const;

  void play(double prediction);                                // the next round
  void count_elsewhere(double prediction);                     // its age counts by another clock after all
  void came(Round t, double prediction, std::size_t c);        // its label
  void came_at(double age, double prediction, std::size_t c);  // the same, of a round that is so old
  // A label that came when its round was so old is of another class after all.
  void came_otherwise(double age, double prediction, std::size_t before, std::size_t after);
  void came_of_age(std::size_t look, double prediction);  // a round is open at age_at(look)

  // ln of how likely a round of each class is to be open at this age, by how likely any round is. All 0: being open
  // says nothing.
  void says(std::size_t look, double prediction, std::span<double> of_class) const;
  bool silent(std::size_t look, double prediction) const;
  // Whether it separates classes by less than this: quick to find out.
  bool says_less(std::size_t look, double prediction, double than) const;
  BelievedWaits::Clock told() const;  // the same for people (waiting_told.cpp)

  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  void begin_at(Round played) { played_ = static_cast<double>(played); }  // where what came before is not known

 private:
  using Kinds = std::array<double, kKinds>;
  static constexpr std::size_t kAll = kStrata;  // all strata together

  // Rounds of one stratum between two ages: how many were open at the first, and the labels that came until the second.
  struct Cell {
    double entered = 0;
    Kinds came = {};
  };
  // What became of the rounds of one stratum.
  struct Course {
    std::vector<double> open;           // by age: the share that is open
    std::vector<double> log_open = {};  // its logarithm
    std::vector<Kinds> came;            // by age: the share that was answered so before it
    std::size_t last = 0;               // the last age that anything is known about
    Kinds labels = {};                  // how many
    Kinds beyond = {};                  // what rounds are that stay open longer: the share of each class
    struct Waits {
      double labels, rounds;
    };
    std::vector<Waits> waits;  // by age: labels, and rounds of waiting
    double hurry() const;      // the chance of a label in one round of waiting, shortly before the last age
    double answered() const { return 1 - open[last]; }
  };
  struct Evidence {
    double ratio = 0, variance = 0;
  };

  std::size_t kinds() const { return std::min(classes_, kKinds); }
  double begins_at(std::size_t age) const;
  std::size_t most_ages() const;
  std::size_t age_of(double waited) const;  // 0 before the first look, then one more than the last look
  void share_lost(Course& course) const;
  void reach(std::size_t age);
  Course course(std::size_t stratum) const;
  void share_out(std::size_t stratum, Course& course) const;
  Evidence evidence(const Course& course, std::size_t age, std::size_t kind) const;
  std::vector<std::array<Evidence, kKinds>> evidence_by_age(const Course& course) const;
  void learn();
  void learn_strata(const Course& all);
  void guess_unseen(const Course& all, std::size_t seen);
  void learn_default(const Course& all);
  bool speaks() const;  // by now enough rounds were played
  BelievedWaits::From basis(const Course& all) const;
  double mean_ratio(std::size_t age, std::size_t kind) const;
  std::optional<double> half_came(const Course& all, const std::function<bool(std::size_t)>& counts) const;

  std::size_t classes_;
  std::optional<Default> otherwise_;
  Lost lost_;
  Clock clock_;
  double played_ = 0, again_ = 64;
  std::vector<std::array<Cell, kStrata + 1>> cells_;   // by age
  std::vector<waiting::Lately> lately_;                // by age
  std::vector<std::array<Kinds, kStrata + 1>> ratio_;  // what is known by now, by age
  std::vector<double> open_;                           // by age: the share of all rounds that is open
};

// −ln of how likely such predictions make it that the round is open, by how likely that is of any round.
double lost_while_open(const AnyLoss& loss, std::span<const double> predictions, std::span<const double> says);

}  // namespace tarry
