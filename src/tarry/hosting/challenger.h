// A model that plays what another one plays and learns what that learns, while nobody sees what it decides: the
// challenger of a champion. Both are compared on the same rounds, in the order in which these were played, up to the
// first that is still awaited: labels that happen to come early are no sample of all of them.
//
// Rounds count from when the challenger has learnt from kFirst labels. A round for which no label came in time is left
// out: one that was closed without, or that waits four times as long as nearly all labels took (where no default label
// will close it). docs/service.md says what is shown of it.
//
// The challenger of a model that chooses learns from what that shows, and is compared by rewards (choice_trial.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/base/bytes.h"
#include "tarry/base/shared_map.h"
#include "tarry/evaluation/paired_losses.h"
#include "tarry/hosting/choice_trial.h"
#include "tarry/model/model.h"

namespace tarry::hosting {

inline constexpr std::size_t kMostChallengers = 4;
inline constexpr std::string_view kOriginal = "original";  // what the model that a history begins with is called

// What was lost in one round.
struct LossPair {
  double champion = 0, challenger = 0;
};

// What one event was to a challenger, for those who watch; not known where it does not count.
struct ChallengerRound {
  static constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  double prediction = kUnknown;  // as it is shown
  double loss = kUnknown, champion_loss = kUnknown;
};

// The rounds that were played by both, as far as they are compared. A copy shares what both hold.
struct Trial {
  Round from = 0;                  // the first that counts; 0: the challenger knows too little
  Round front = 0;                 // those before it are over
  std::uint64_t left_out = 0;      // for which no label came in time
  std::uint64_t late = 0;          // labels that came after that
  SharedMap<LossPair> ahead = {};  // labelled rounds behind one that is awaited
  evaluation::PairedLosses losses{};
  std::optional<ChoiceTrial> choices = std::nullopt;  // of a model that chooses, in the place of losses

  std::uint64_t waiting_ahead() const { return choices ? choices->ahead() : ahead.size(); }
  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // throws Error{kCorrupt}
};

// What can be said so far.
enum class Verdict : std::uint8_t { kFailed, kTooEarly, kUnclear, kBetter, kWorse };
std::string_view name_of(Verdict verdict);

struct FrozenChallenger {
  std::string name, spec, failure;
  std::optional<FrozenModel> model;
  Trial trial;

  void save(ByteWriter& out) const;
};

class Challenger {
 public:
  static constexpr std::uint64_t kFirst = 100;
  static constexpr std::size_t kMostAhead = std::size_t{1} << 20;  // pairs that wait for one round

  // Joins where the champion has come to. Throws Error for a specification that no model can be made from.
  Challenger(std::string name, const std::string& spec, const Model& champion);

  const std::string& name() const { return name_; }
  const std::string& spec() const { return spec_; }
  const Model* model() const { return model_ ? &*model_ : nullptr; }  // null: it failed
  const std::string& failure() const { return failure_; }             // what it could not take; empty: nothing
  const Trial& trial() const { return trial_; }
  Verdict verdict() const;

  // What the champion has just played, or was told of this round, and lost where that is known. What the challenger
  // cannot take does no harm: a play ends it, and a round that it cannot learn from is void for it.
  ChallengerRound play(const Play& play, const Model::Outcome& champions);
  // What the challenger lost (NaN: the round was given up), and had predicted; nothing: it does not know the round.
  struct Judged {
    double loss = 0, prediction = 0;
  };
  std::optional<Judged> feed(const Event& event, Round round, std::optional<double> champion_lost);
  // Rounds that are over are compared. `waiting`: those of the champion, as far as anybody waits for them.
  void compare(const SharedMap<std::int64_t>& waiting);

  // Becomes the champion, and the champion a challenger under the name that it has had. Not of one that failed.
  void trade_places(Model& champion, std::string& champions_name);
  void begin_trial();  // with another champion

  // A round that was just `judged`, as far as it counts.
  ChallengerRound counted(Round round, std::optional<double> champion_lost, const std::optional<Judged>& judged) const;

  FrozenChallenger freeze() const;
  static Challenger load(ByteReader& in);  // throws Error{kCorrupt}

 private:
  Challenger(std::string name, std::string spec) : name_(std::move(name)), spec_(std::move(spec)) {}
  Model::Outcome apply(const Event& event, Round round);
  Model::Outcome choose(const Play& play, const Choice& champions);
  void note_reward(const Event& event, Round round, const Model::Outcome& outcome);
  bool counts(Round round);
  bool waits_too_long(Round round) const;
  void fail(const Error& error, Round round);

  std::string name_, spec_, failure_;
  std::optional<Model> model_;
  Trial trial_;
};

}  // namespace tarry::hosting
