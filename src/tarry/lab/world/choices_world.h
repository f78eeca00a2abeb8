// A table of classes played as choices, as a world: it shows a row and the classes, and says only whether the class
// that was taken is the right one.
#pragma once

#include "tarry/lab/streams/choices.h"
#include "tarry/lab/world/world.h"

namespace tarry::lab {

class ChoicesWorld final : public World {
 public:
  explicit ChoicesWorld(std::shared_ptr<const Choices> choices);

  std::optional<Turn> next() override;
  Coming answer(Round round, const Model& model, const Model::Outcome& decided) override;
  Covector gradient() override { return Covector::dense({&lost_, 1}); }
  Recorded recorded() override;
  bool never(Round round) const override;
  // reward, the mean so far; best_action, what taking the same action each time would have earned at best.
  std::map<std::string, double> metrics() const override;

 private:
  std::shared_ptr<const Choices> choices_;
  std::size_t row_ = 0;  // how many were asked for
  Event play_ = Play{};  // its memory is used again
  Vec right_;            // how often each action was the right one
  double rewards_ = 0;
  bool reward_ = false;  // of the last round
  double lost_ = 0;      // by it
};

}  // namespace tarry::lab
