#include "tarry/lab/play/logged_run.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/lab/world/logged_world.h"

namespace tarry::lab {

std::unique_ptr<World> logged_world(const LearnerSpec& learner, const Stream& stream) {
  return std::make_unique<LoggedWorld>(*stream.logged, learner.policy, learner.only ? &*learner.only : nullptr);
}

// What kind of rewards there are, it need not be told.
ModelSpec logged_spec(const LearnerSpec& learner, const Stream& stream) {
  const auto refuse = [&] {
    throw Error(Code::kBadSpec, fmt::format("learner {}: stream \"{}\" is a log of choices, for models that choose",
                                            spec::to_json(spec::Value{learner.name}), stream.name));
  };
  if (!learner.is_task) refuse();
  spec::Value task = learner.learner;
  if (!stream.logged->yes_or_no && task.text_at("task") == "choose" && task.find("reward") == nullptr)
    std::get<spec::Object>(task.as).push_back({"reward", spec::Value{std::string("number")}});
  ModelSpec spec = ModelSpec::read(task);
  if (!spec.choice) refuse();
  learner.policy.check(*stream.logged);
  return spec;
}

}  // namespace tarry::lab
