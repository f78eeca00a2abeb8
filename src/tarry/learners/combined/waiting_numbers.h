// What is known of waiting where labels are numbers: by how much labels that take long differ from what was predicted,
// and so what it says of a round that it is still open (docs/theory.md, 12.2).
//
// Labels by age: if labels are normal about the prediction m with variance σ², and the chance of being open at an age
// grows with the label as e^{κy}, an open round's label is normal about m + κσ². So its target is the prediction plus a
// shift: the mean error y − m of rounds open at that age, minus that of all rounds.
//
// Waits: if the ages at which labels come explain at least half of the labels' variance, the label is taken to be the
// wait itself. A round open at an age then has a label of at least c, half-way between the mean labels before and after
// that age, blurred by the variance τ² of labels of one age. The loss −2σ² ln Φ((m − c)/s) with s² = σ² + τ² (Tobit) is
// convex, and its target is m + (σ²/s) φ(z)/(1 − Φ(z)) with z = (c − m)/s.
#pragma once

#include <array>
#include <vector>

#include "tarry/base/bytes.h"
#include "tarry/learners/combined/waiting_terms.h"
#include "tarry/learners/learner.h"
#include "tarry/learners/open_number.h"

namespace tarry {

class WaitingNumbers {
 public:
  static constexpr std::size_t kStrata = 8;  // of predictions at play, in deviations of labels

  explicit WaitingNumbers(bool on) : on_(on) {}

  bool on() const { return on_; }
  static std::size_t stratum(double prediction);

  void play(double prediction);
  void count_elsewhere(double prediction);  // its age counts by another clock after all
  void came(double age, double prediction, double label, double error);
  void came_otherwise(double age, double prediction, const KnownLoss& before, const KnownLoss& after);
  void came_of_age(std::size_t look, double prediction);

  OpenNumber says(std::size_t look, double prediction) const;
  bool silent(std::size_t look, double prediction) const;
  // Whether it moves a target by fewer deviations than this, or may: quick to find out.
  bool says_less(std::size_t look, double prediction, double than) const;
  double deviation() const { return deviation_; }  // of labels from what was predicted
  double played() const { return played_; }

  void save(ByteWriter& out) const;
  void load(ByteReader& in);
  void begin_at(Round played) { played_ = static_cast<double>(played); }

 private:
  static constexpr std::size_t kAll = kStrata;

  // Rounds of one stratum between two ages: how many were open at the first, and the labels that came until the second.
  struct Cell {
    double entered = 0, came = 0;
    double errors = 0, squares = 0;  // sums: label − prediction
  };
  struct Span {  // of ages
    std::array<Cell, kStrata + 1> cells = {};
    double labels = 0, squares = 0;  // sums over the labels that came in it
    waiting::Lately lately = {};
  };
  // What became of the rounds of one stratum.
  struct Course {
    std::vector<double> open = {1};  // by age: the share that is open
    std::vector<double> share = {},
                        mean = {};    // by age: the share that was answered until the next, and its mean error
    std::vector<double> later = {};   // by age: the mean error of those that are open; empty: nothing is known
    std::vector<double> known = {};   // by age: the labels that came later
    std::size_t last = 0;             // the last age that anything is known about
    double labels = 0, variance = 0;  // of all errors
    double never = 0;                 // the share that does not come, as it seems
  };

  struct Came {
    double count, label, error;
  };

  Span& at(std::size_t age);
  void add(double waited, double prediction, const Came& one);
  Course course(std::size_t stratum) const;
  void look_ahead(std::size_t stratum, Course& course) const;
  void learn();
  bool are_waits(double& blur) const;
  void learn_floors(const Course& all, double blur);
  void learn_shifts(const Course& all);
  double regular(std::size_t age) const;

  bool on_;
  double played_ = 0, again_ = 64;
  std::vector<Span> spans_;  // by age
  // What is known by now, by age.
  struct Known {
    std::array<double, kStrata> shift = {};
    double floor = 0, trust = 0, open = 1;
  };
  std::vector<Known> known_;
  double deviation_ = 0, spread_ = 0;
};

}  // namespace tarry
