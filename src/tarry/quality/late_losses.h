// What labels lost, by how long they took and by what had been predicted: what the labels that are still missing will
// probably lose. Half-octaves of waiting time; older labels count less and less. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace tarry::quality {

inline constexpr std::size_t kStrata = 8;  // of predictions

// Of a probability: those of rare events are told apart as well as those of common ones.
std::size_t stratum_of(double probability);

// A label, judged: what the model lost, and how much more a constant answer would have lost.
struct Judged {
  double loss = 0, gain = 0;

  template <class F>
  void fields(F& f) {
    f(loss, gain);
  }
};
inline constexpr double Judged::*kJudged[] = {&Judged::loss, &Judged::gain};

struct Moments {
  double count = 0, mean = 0, variance = 0;
};

class LateLosses {
 public:
  void add(std::size_t stratum, std::int64_t wait_ms, const Judged& judged);

  double labels() const { return labels_; }
  double share_within(std::int64_t age_ms) const;               // of all labels
  Moments of(std::size_t stratum, double Judged::*what) const;  // all labels of a stratum, pulled as below
  // What a label of a stratum that took so long usually loses, before this one is added.
  Judged usual(std::size_t stratum, std::int64_t wait_ms) const;
  bool is_sound() const;  // after it was loaded
  // By which 99 labels in a hundred had come; 0 before there are any.
  std::int64_t nearly_all_ms() const;

  template <class F>
  void fields(F& f) {
    f(strata_, all_, labels_);
    nearly_all_ms_ = -1;
  }

 private:
  struct Cell {
    double count = 0;
    Judged sum = {}, squares = {};

    template <class F>
    void fields(F& f) {
      f(count, sum, squares);
    }
    void add(const Cell& other, double weight);
  };
  using Waits = std::vector<Cell>;  // by half-octave

  friend class LateSums;
  static Moments pulled(Cell own, Cell of_all, double Judged::*what);
  void halve();

  std::array<Waits, kStrata> strata_;
  Waits all_;
  double labels_ = 0;
  mutable std::int64_t nearly_all_ms_ = -1;  // not known
};

// How old decisions are: shares of them, each with one age.
class Ages {
 public:
  void add(double share, std::int64_t age_ms);

 private:
  friend class LateSums;
  struct One {
    double share = 0, at = 0;  // at: among the cells of waiting times
  };
  std::array<One, 16> each_{};
  std::size_t count_ = 0;
};

// The same summed up from the longest wait on, so that many ages can be asked for. Lives as long as nothing is added.
class LateSums {
 public:
  explicit LateSums(const LateLosses& losses);

  // Of the labels of a stratum, the share that took longer than decisions of these ages have waited.
  double share_beyond(std::size_t stratum, const Ages& ages) const;
  // The labels of a stratum that took longer; where they are few, pulled towards those of all strata.
  Moments beyond(std::size_t stratum, const Ages& ages, double Judged::*what) const;

 private:
  using Cell = LateLosses::Cell;
  using Sums = std::vector<Cell>;  // [k]: the cells from k on; one more than there are

  static Sums summed(const LateLosses::Waits& waits);
  static Cell beyond(const Sums& sums, double at);
  double share_beyond(std::size_t stratum, double at) const;

  std::array<Sums, kStrata> strata_;
  Sums all_;
};

}  // namespace tarry::quality
