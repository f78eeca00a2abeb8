// Rows of a table, as a world: a model sees them by number or by name, when they are played or with their labels.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "tarry/lab/streams/stream.h"
#include "tarry/lab/world/world.h"
#include "tarry/linalg/stacked.h"

namespace tarry::lab {

class TableWorld final : public World {
 public:
  // `named`: rows by name, for models that take names; `only`: of these, the features that are shown (null: all). All
  // of it must outlive the world.
  TableWorld(const Table& table, bool named, const std::vector<std::string>* only = nullptr);

  std::optional<Turn> next() override;
  Coming answer(Round round, const Model& model, const Model::Outcome& decided) override;
  Covector gradient() override;
  Recorded recorded() override;
  double nine_in_ten() const override;
  bool never(Round round) const override;

 private:
  LabelValue label_of(const Model& model, double given) const;
  double last_label(std::size_t row) const;
  double among_all(std::span<const double> scores, double label) const;
  void add_corrections(Coming& coming, const Model& model, Round round, std::size_t row) const;

  const Table& table_;
  bool named_;
  const std::vector<std::string>* only_;
  std::size_t row_ = 0;  // how many were asked for
  std::unordered_map<std::size_t, std::vector<std::size_t>>
      corrected_;        // of a row: which labels take its label's place
  Event play_ = Play{};  // its memory is used again
  Vec x_;                // the decision, where a row is known only after it
  RoundPlayed last_;     // the round that was answered last
  Dataset::Made made_;
  Vec scores_, gradient_;
  std::optional<Stacked> stacked_;  // what the gradient of several classes looks at
};

}  // namespace tarry::lab
