// What the service says about its models.
#include <algorithm>

#include "tarry/model/snapshot.h"
#include "tarry/service/models/model_view.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

using namespace hosting;

namespace {

constexpr std::size_t kToldWeights = 50;

std::optional<Description::Oldest> oldest_of(const hosting::HostedModel& hosted, std::int64_t now_ms) {
  const auto since = hosted.oldest_since_ms();
  if (!since) return std::nullopt;
  return Description::Oldest{.round = hosted.model().ledger().oldest_outstanding(),
                             .waits_ms = std::max<std::int64_t>(0, now_ms - *since)};
}

}  // namespace

void Service::list(const ReplyTo& reply_to) const {
  ModelList list;
  for (const ServedPointer& served : models_.all()) {
    const Served::Numbers& n = served->numbers;
    list.models.push_back({.name = served->name,
                           .incarnation = served->model->incarnation(),
                           .position = n.position,
                           .rounds = n.rounds,
                           .outstanding = n.outstanding});
  }
  reply_to(std::move(list))();
}

// Everything but the hash is quick to tell. With many rounds waiting the hash is not: it is taken of a frozen copy,
// beside the lane. Where too many copies wait already, their memory counts for more than the lane.
void Service::describe(const std::string& name, ReplyTo reply_to) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply_to(no_such_model(name))();
  answer_from_copy(served, hashes_, std::move(reply_to), [this](Served& now) -> CopyAnswer {
    const Model& model = now.model->model();
    const Ledger& ledger = model.ledger();
    Description told{.name = now.name,
                     .incarnation = now.model->incarnation(),
                     .position = now.model->position(),
                     .hash = {},
                     .spec = model.spec(),
                     .rounds = ledger.issued(),
                     .outstanding = ledger.outstanding(),
                     .settled = ledger.settled(),
                     .expired = ledger.expired(),
                     .voided = ledger.voided(),
                     .untracked = ledger.untracked(),
                     .events = model.events(),
                     .oldest = oldest_of(*now.model, clock_.now_ms()),
                     .delays = ledger.delays(),
                     .certificate = model.certificate(),
                     .weights = model.weights(kToldWeights)};
    for (const NewName& one : now.names.news())
      told.new_names.push_back({.name = one.name,
                                .round = one.first,
                                .ago_ms = std::max<std::int64_t>(0, clock_.now_ms() - one.at_ms),
                                .rounds = one.rounds,
                                .like = one.like});
    if (now.model->champion() != kOriginal || !now.model->challengers().empty()) told.champion = now.model->champion();
    told.before = ledger.before();
    if (model.apprentice().any()) told.apprentice = model.apprentice().figures();
    if (model.comparison().any()) told.comparison = model.comparison().figures();
    return [told = std::move(told)](const FrozenModel& copy) {
      Description whole = told;
      whole.hash = copy.hash();
      return Reply(std::move(whole));
    };
  });
}

void Service::view(const std::string& name, ReplyTo reply_to) {
  on_lane(
      name, std::move(reply_to), [this](Served& served) { return ModelPage{model_view_json(served, clock_.now_ms())}; },
      false);
}

void Service::quality(const std::string& name, ReplyTo reply_to) {
  on_lane(
      name, std::move(reply_to),
      [this](Served& served) { return ModelPage{model_quality_json(served, clock_.now_ms())}; }, false);
}

void Service::snapshot_of(const std::string& name, ReplyTo reply_to) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply_to(no_such_model(name))();
  answer_from_copy(served, copies_, std::move(reply_to), [this](Served& now) -> CopyAnswer {
    if (copies_->waiting() >= kMostCopies) throw overloaded();
    return [position = now.model->position()](const FrozenModel& copy) {
      return Reply(SnapshotBytes{snapshot_bytes(copy, position), position});
    };
  });
}

// Frozen on the lane, read beside it, and answered once what it shows is durable.
void Service::answer_from_copy(const ServedPointer& served, const std::shared_ptr<Lane>& beside, ReplyTo reply_to,
                               std::function<CopyAnswer(Served&)> look) {
  const auto finish = [this, reply_to](const CopyAnswer& answer, const FrozenModel& copy, Position position) {
    Reply reply = or_rejection(true, [&] { return answer(copy); });
    committer_.when_durable(position, reply_to(std::move(reply)));
  };
  const auto freeze = [served, beside, reply_to, finish, look = std::move(look)] {
    const auto refused = rejected_by(true, [&] {
      if (served->gone) throw no_such_model(served->name);
      CopyAnswer answer = look(*served);
      const TallySince before;
      const auto frozen = std::make_shared<std::optional<FrozenModel>>(served->model->model().freeze());
      served->model->count_copy(before.bytes());
      auto task = [served, finish, answer = std::move(answer), frozen, position = served->model->position()] {
        const ReturnsCopy<FrozenModel> returns{*frozen, served};
        finish(answer, **frozen, position);
      };
      if (beside->waiting() < kMostCopies)
        beside->submit_always(std::move(task));
      else
        task();
    });
    if (refused) reply_to (*refused)();
  };
  if (!served->lane->submit(freeze)) reply_to(overloaded())();
}

}  // namespace tarry::service
