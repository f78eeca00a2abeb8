// Losses over the raw decision, as a world.
#pragma once

#include "tarry/lab/streams/raw_stream.h"
#include "tarry/lab/world/world.h"

namespace tarry::lab {

class RawWorld final : public World {
 public:
  RawWorld(const RawStream& stream, Index dimension);  // the stream must outlive it

  std::optional<Turn> next() override { return Turn{play_}; }
  Coming answer(Round round, const Model& model, const Model::Outcome& decided) override;
  Covector gradient() override { return Covector::dense(gradient_); }
  void add_to(Played& played) const override;

 private:
  const RawStream& stream_;
  const Event play_ = Play{};
  Vec x_, b_, gradient_;
};

}  // namespace tarry::lab
