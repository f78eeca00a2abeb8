// Runs a piece of code once for each instruction set that this CPU and this build have.
#pragma once

#include <hwy/highway.h>

#include <cstdint>
#include <vector>

namespace tarry {

template <class Body>
void on_every_target(Body body) {
  const std::vector<std::int64_t> targets = hwy::SupportedAndGeneratedTargets();
  for (std::int64_t target : targets) {
    hwy::SetSupportedTargetsForTest(target);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    body(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);
  hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

}  // namespace tarry
