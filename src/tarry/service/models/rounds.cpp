// Single rounds: what the model knows of them on its lane, then the log beside it.
#include "tarry/service/models/round_lookup.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

using namespace hosting;

void Service::rounds(const std::string& name, RoundsRequest request, ReplyTo reply_to) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply_to(no_such_model(name))();
  const auto show = [this, served, reply_to](const LookedRounds& looked, const FoundRounds& found) {
    const std::int64_t now = clock_.now_ms();
    Reply reply = or_rejection(true, [&]() -> Reply {
      if (served->gone) throw no_such_model(served->name);
      return ModelPage{rounds_json(*served, looked, found, now)};
    });
    committer_.when_durable(served->model->position(), reply_to(std::move(reply)));
  };
  const auto search = [this, served, reply_to, show](const std::shared_ptr<const LookedRounds>& looked) {
    const auto refused = rejected_by(true, [&] {
      auto found = std::make_shared<const FoundRounds>(search_log(reads(log_), looked->search));
      served->lane->submit_always([looked, found, show] { show(*looked, *found); });
    });
    if (refused) reply_to (*refused)();
  };
  const auto begin = [this, served, reply_to, request = std::move(request), search] {
    const auto refused = rejected_by(true, [&] {
      if (served->gone) throw no_such_model(served->name);
      if (searches_->waiting() >= kMostCopies) throw overloaded();
      auto looked = std::make_shared<const LookedRounds>(look_at_rounds(*served, request));
      searches_->submit_always([looked, search] { search(looked); });
    });
    if (refused) reply_to (*refused)();
  };
  if (!served->lane->submit(begin)) reply_to(overloaded())();
}

}  // namespace tarry::service
