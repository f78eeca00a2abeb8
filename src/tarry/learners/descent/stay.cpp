#include "tarry/learners/descent/stay.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/learners/registry.h"

namespace tarry {

LearnerEntry stay_entry() {
  return {.name = "stay",
          .summary = "Never leaves the set's starting point: a baseline, or for blocks that should not learn",
          .keys = {},
          .make = [](const spec::Node&, const LearnerSetting& setting) -> AnyLearner { return Stay(setting.shape()); },
          .examples = {R"({"type": "stay"})"},
          .cost = [](const spec::Value&, const CostScene&) { return Cost{}; },
          .promise = [](const spec::Value&) -> Promise { return {.made = false}; },
          .revises = "stay"};
}

Stay::Stay(const Shape& shape) : begin_{0} { add(shape); }

void Stay::add(const Shape& shape) {
  for (const Shape& block : shape.blocks) add(block);
  if (!shape.blocks.empty()) return;
  starts_.push_back(shape.start);
  begin_.push_back(begin_.back() + shape.start.dimension);
}

double Stay::predict(const Covector& features) const {
  double prediction = 0;
  std::size_t k = 0;
  features.each([&](Index i, double a) {
    if (i < begin_[k]) k = 0;  // the next output's
    while (i >= begin_[k + 1]) ++k;
    const Start& start = starts_[k];
    prediction += a * (start.values.empty() ? start.everywhere : start.values[static_cast<std::size_t>(i - begin_[k])]);
  });
  return prediction;
}

void Stay::write(std::span<double> x) const {
  auto to = x.begin();
  for (const Start& start : starts_)
    to = start.values.empty() ? std::fill_n(to, start.dimension, start.everywhere)
                              : std::copy(start.values.begin(), start.values.end(), to);
}

void Stay::load(ByteReader& in) {
  if (in.i64() != dimension()) throw Error(Code::kCorrupt, "snapshot: its decision does not have the set's dimension");
}

}  // namespace tarry
