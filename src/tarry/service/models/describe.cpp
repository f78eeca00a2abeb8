// What the service tells about its models.
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

void Service::describe(const std::string& name, ReplyTo reply_to) {
  on_lane(name, std::move(reply_to), [this](Served& served) {
    const Model& model = served.model->model();
    const Ledger& ledger = model.ledger();
    return Description{.name = served.name,
                       .incarnation = served.model->incarnation(),
                       .position = served.model->position(),
                       .hash = model.hash(),
                       .spec = model.spec(),
                       .rounds = ledger.issued(),
                       .outstanding = ledger.outstanding(),
                       .settled = ledger.settled(),
                       .expired = ledger.expired(),
                       .voided = ledger.voided(),
                       .events = model.events(),
                       .oldest = oldest_of(*served.model, clock_.now_ms()),
                       .delays = ledger.delays(),
                       .certificate = model.certificate(),
                       .weights = model.weights(kToldWeights)};
  });
}

void Service::view(const std::string& name, ReplyTo reply_to) {
  on_lane(
      name, std::move(reply_to), [this](Served& served) { return ModelPage{model_view_json(served, clock_.now_ms())}; },
      false);
}

// Frozen on the lane, written down beside it.
void Service::snapshot_of(const std::string& name, ReplyTo reply_to) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply_to(no_such_model(name))();
  const auto write = [this, reply_to](const FrozenModel& model, Position position) {
    Reply reply = or_rejection(true, [&]() -> Reply {
      return SnapshotBytes{snapshot_bytes(model, position), position};
    });
    committer_.when_durable(position, reply_to(std::move(reply)));
  };
  const auto freeze = [this, served, reply_to, write] {
    const auto refused = rejected_by(true, [&] {
      if (served->gone) throw no_such_model(served->name);
      if (copies_->waiting() >= kMostCopies) throw overloaded();
      const TallySince before;
      const auto frozen = std::make_shared<std::optional<FrozenModel>>(served->model->model().freeze());
      served->model->count_copy(before.bytes());
      copies_->submit_always([served, write, frozen, position = served->model->position()] {
        const ReturnsCopy<FrozenModel> returns{*frozen, served};
        write(**frozen, position);
      });
    });
    if (refused) reply_to (*refused)();
  };
  if (!served->lane->submit(freeze)) reply_to(overloaded())();
}

}  // namespace tarry::service
