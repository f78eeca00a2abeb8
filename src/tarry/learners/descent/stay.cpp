#include "tarry/learners/descent/stay.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/learners/registry.h"

namespace tarry {

LearnerEntry stay_entry() {
  return {.name = "stay",
          .summary = "Stays where the set starts: a baseline, and for blocks that shall not learn",
          .keys = {},
          .make = [](const spec::Node&, const LearnerSetting& setting) -> AnyLearner {
            const Shape shape = setting.shape();
            return Stay(shape.blocks.empty() ? shape.start : Start{shape.start.dimension, 0, start_point(shape)});
          },
          .examples = {R"({"type": "stay"})"}};
}

double Stay::predict(const Covector& features) const {
  double prediction = 0;
  features.each([&](Index i, double a) {
    prediction += a * (start_.values.empty() ? start_.everywhere : start_.values[static_cast<std::size_t>(i)]);
  });
  return prediction;
}

void Stay::write(std::span<double> x) const {
  if (start_.values.empty())
    std::fill(x.begin(), x.end(), start_.everywhere);
  else
    std::copy(start_.values.begin(), start_.values.end(), x.begin());
}

void Stay::load(ByteReader& in) {
  if (in.i64() != start_.dimension)
    throw Error(Code::kCorrupt, "snapshot: its decision does not have the set's dimension");
}

}  // namespace tarry
