#include "tarry/service/models/served.h"

#include <cmath>
#include <limits>

#include "tarry/service/models/model_row.h"

namespace tarry::service {

Served::Served(hosting::ModelPointer hosted, std::shared_ptr<Lane> its_lane)
    : name(hosted->name()),
      lane(std::move(its_lane)),
      expires_after(hosted->model().expiry().seconds),
      chooses(hosted->model().choice().has_value()),
      model(std::move(hosted)) {
  watched.before = model->model().ledger().issued();
  look_at_facts();
  look_at_challengers(watched, *model, 0);
  publish();
}

Served::Facts Served::facts() const {
  const std::lock_guard lock(mutex_);
  return facts_;
}

void Served::look_at_facts() {
  Facts facts{about_model(model->model()), model->model().spec(), model->first_spec()};
  explained.clear();
  const std::lock_guard lock(mutex_);
  facts_ = std::move(facts);
}

void Served::publish() {
  const Ledger& ledger = model->model().ledger();
  numbers.rounds = ledger.issued();
  numbers.outstanding = ledger.outstanding();
  numbers.settled = ledger.settled();
  numbers.expired = ledger.expired();
  numbers.voided = ledger.voided();
  numbers.events = model->model().events();
  numbers.bytes = model->bytes();
  numbers.position = model->position();
  numbers.oldest_since_ms = model->oldest_since_ms().value_or(0);
  if (ledger.issued() < next_mark_) return;
  constexpr Round kMarkEvery = 64;
  next_mark_ = ledger.issued() + kMarkEvery;
  const std::lock_guard lock(watched.mutex);
  watched.marks.add({ledger.issued(), model->position()});
}

void Served::note_applied(const Event& event, const hosting::Folded& applied) noexcept {
  try {
    const bool closes =
        !std::holds_alternative<Play>(event) && !applied.held && !applied.revised && applied.issued_ms != 0;
    const bool unseen = applied.stray && std::isnan(applied.loss);  // nobody is left who knows what was predicted
    const double prediction = unseen ? std::numeric_limits<double>::quiet_NaN() : applied.prediction;
    applied_.push_back(closes ? std::optional(ClosedRound{applied.round, prediction}) : std::nullopt);
  } catch (const std::bad_alloc&) {
  }
}

void Served::remember_closed(std::size_t entries) noexcept {
  try {
    for (std::size_t k = 0; k < entries && applied_.size() == entries; ++k) {
      if (!applied_[k]) continue;
      applied_[k]->position = model->position() - (entries - 1 - k);
      closed.add(*applied_[k]);
    }
  } catch (const std::bad_alloc&) {
  }
  applied_.clear();
}

void ServedModels::add(const ServedPointer& served) {
  const std::unique_lock lock(mutex_);
  by_name_.emplace(served->name, served);
  by_incarnation_.emplace(served->model->incarnation(), served);
}

void ServedModels::remove(const ServedPointer& served) {
  const std::unique_lock lock(mutex_);
  by_name_.erase(served->name);
  by_incarnation_.erase(served->model->incarnation());
}

ServedPointer ServedModels::find(std::string_view name) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

ServedPointer ServedModels::find(Position incarnation) const {
  const std::shared_lock lock(mutex_);
  const auto found = by_incarnation_.find(incarnation);
  return found == by_incarnation_.end() ? nullptr : found->second;
}

std::vector<ServedPointer> ServedModels::all() const {
  const std::shared_lock lock(mutex_);
  std::vector<ServedPointer> models;
  for (const auto& [name, served] : by_name_) models.push_back(served);
  return models;
}

std::size_t ServedModels::size() const {
  const std::shared_lock lock(mutex_);
  return by_name_.size();
}

}  // namespace tarry::service
