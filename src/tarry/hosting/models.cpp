#include "tarry/hosting/models.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"

namespace tarry::hosting {
namespace {

constexpr std::uint64_t kStateFormat = 1;

[[noreturn]] void corrupt(const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); }

}  // namespace

std::optional<Folded> Models::apply(Position position, const Entry& entry) {
  if (position <= head_.position) return std::nullopt;
  head_.position = position;
  return fold(position, entry);
}

std::optional<Folded> Models::apply(Position position, std::string_view payload) {
  return apply(position, entry_from_bytes(payload));
}

std::optional<Folded> Models::fold(Position position, const Entry& entry) {
  using Nothing = std::optional<Folded>;
  const auto about = [&](Position at, const auto& e, auto change) {
    head_.at_ms = std::max(head_.at_ms, e.at_ms);
    const ModelPointer model = find(e.incarnation);
    if (!model || at <= model->position()) return Nothing();
    model->at(at);
    ((*model).*change)(e);
    return Nothing();
  };
  return std::visit(Overload{[&](const Opened& e) {
                               head_.epoch = e.epoch;
                               head_.at_ms = std::max(head_.at_ms, e.at_ms);
                               return Nothing();
                             },
                             [&](const Create& e) {
                               head_.at_ms = std::max(head_.at_ms, e.at_ms);
                               if (by_name_.contains(e.name)) return Nothing();  // the first one has it
                               auto model = std::make_shared<HostedModel>(e);
                               model->created(position);
                               by_name_.emplace(e.name, model);
                               by_incarnation_.emplace(position, std::move(model));
                               return Nothing();
                             },
                             [&](const Delete& e) {
                               if (const ModelPointer model = find(e.incarnation)) {
                                 by_name_.erase(model->name());
                                 by_incarnation_.erase(e.incarnation);
                               }
                               return Nothing();
                             },
                             [&](const Apply& e) {
                               head_.at_ms = std::max(head_.at_ms, e.at_ms);
                               const ModelPointer model = find(e.incarnation);
                               if (!model || position <= model->position()) return Nothing();
                               model->at(position);
                               return Nothing(model->apply(e, head_.epoch));
                             },
                             [&](const Activate& e) {
                               head_.at_ms = std::max(head_.at_ms, e.at_ms);
                               const ModelPointer model = find(e.incarnation);
                               if (!model || position <= model->position()) return Nothing();
                               model->at(position);
                               model->activate(e);
                               return Nothing();
                             },
                             [&](const Challenge& e) { return about(position, e, &HostedModel::challenge); },
                             [&](const Dismiss& e) { return about(position, e, &HostedModel::dismiss); },
                             [&](const Promote& e) { return about(position, e, &HostedModel::promote); }},
                    entry);
}

ModelPointer Models::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : found->second;
}

ModelPointer Models::find(Position incarnation) const {
  const auto found = by_incarnation_.find(incarnation);
  return found == by_incarnation_.end() ? nullptr : found->second;
}

std::vector<ModelPointer> Models::all() const {
  std::vector<ModelPointer> models;
  for (const auto& [name, model] : by_name_) models.push_back(model);
  return models;
}

void save_head(ByteWriter& out, const StateHead& head) {
  out.u64(kStateFormat);
  out.u64(head.position);
  out.u64(head.epoch);
  out.i64(head.at_ms);
  out.u64(head.models);
}

void save_model(ByteWriter& out, std::string_view hosted_model_bytes) { out.text(hosted_model_bytes); }

void save_model(ByteWriter& out, const FrozenHosted& model) {
  const std::string hash = model.model.hash();
  ByteWriter counter = ByteWriter::counting();
  model.save(counter, hash);
  out.u64(counter.size());
  model.save(out, hash);
}

void Models::save(ByteWriter& out) const {
  StateHead head = head_;
  head.models = by_incarnation_.size();
  save_head(out, head);
  for (const auto& [incarnation, model] : by_incarnation_) save_model(out, model->freeze());
}

void Models::load(ByteReader& in) {
  *this = Models();
  if (const std::uint64_t format = in.u64(); format != kStateFormat)
    corrupt("format " + std::to_string(format) + " of the state is not one this program reads");
  head_.position = in.u64();
  head_.epoch = in.u64();
  head_.at_ms = in.i64();
  head_.models = in.u64();
  for (std::uint64_t left = head_.models; left > 0; --left) {
    ByteReader bytes(in.view());
    auto model = std::make_shared<HostedModel>(HostedModel::load(bytes));
    bytes.expect_end();
    if (!by_name_.emplace(model->name(), model).second || !by_incarnation_.emplace(model->incarnation(), model).second)
      corrupt("a model is there twice");
  }
}

}  // namespace tarry::hosting
