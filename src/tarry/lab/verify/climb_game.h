// A whole game, small enough to be searched: what each round says, when its answer comes, and in which order.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tarry/lab/world/world.h"

namespace tarry::lab {

// How rounds and answers look.
enum class Form : std::uint8_t {
  kGradients,          // play, then the gradient of a linear (or quadratic) loss
  kShownGradients,     // features at play, and a gradient that need not be a multiple of them
  kFeaturesAtPlay,     // features at play, then the label
  kFeaturesWithLabel,  // play, then features and label together
};

struct Move {
  Vec row;                // the linear part of the loss, or the features
  Vec shown;              // kShownGradients: the features at play
  double label = 0;       // where there is a loss
  Round delay = 1;        // the answer comes at the end of round t + delay − 1, never if the game is over by then
  bool given_up = false;  // no answer comes then: the round expires
  double order = 0;       // among what comes at one round's end, ascending
  // A label that takes the place of the first so many rounds later, in arenas that allow it; 0: none does.
  Round corrected_after = 0;
  double corrected = 0;

  Round corrected_delay() const { return delay + corrected_after; }  // from the play, as `delay`
};
using SmallGame = std::vector<Move>;

// Who plays, and by which rules: all that stays while a game is changed.
struct Arena {
  std::string set, learner;  // specifications, for logs
  std::function<Model()> make;
  Form form = Form::kGradients;
  std::string loss = {};  // its name; empty for gradients
  double curvature = 0;   // of raw losses: f(x) = ⟨row, x⟩ + (curvature/2)‖x‖²
  bool corrects = false;  // whether labels can be corrected: models then have room for it
  std::string more = {};  // what else the model's specification has, for logs: ", …"

  bool has_loss() const { return form == Form::kFeaturesAtPlay || form == Form::kFeaturesWithLabel; }
};

// The rounds that are answered or given up at the end of each round, in their order; entry 0 is empty. The correction
// of round k of n is number n + k.
std::vector<std::vector<Round>> due(const SmallGame& game, bool corrects = false);

Event play_event(const Arena& arena, const Move& move);
// `gradient` is that of the round at the point played; only games of gradients look at it.
Event answer_event(const Arena& arena, const Move& move, Round round, const Vec& gradient);

// A small game as a world, which remembers what was played. Both arguments must outlive it.
class SmallWorld final : public World {
 public:
  SmallWorld(const Arena& arena, const SmallGame& game) : arena_(arena), game_(game) {}

  std::optional<Turn> next() override;
  Coming answer(Round round, const Model& model, const Model::Outcome& decided) override;
  Covector gradient() override { return Covector::dense(rounds_.back().gradient); }

  struct KnownRound {
    Vec x, gradient;
    double label = 0;
    Vec corrected_gradient = {};  // the same with the corrected label
    double corrected_label = 0;
  };
  const std::vector<KnownRound>& rounds() const { return rounds_; }

 private:
  const Arena& arena_;
  const SmallGame& game_;
  Event play_ = Play{};
  std::vector<KnownRound> rounds_;
};

// The first `rounds` rounds as a log of tarry-replay/2. Answers that have not come by then, or never do, stand last.
std::string log_of(const Arena& arena, const SmallGame& game, Round rounds);

}  // namespace tarry::lab
