#include "tarry/lab/world/table_world.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/lab/delays/recorded_delays.h"
#include "tarry/losses/softmax.h"

namespace tarry::lab {
namespace {

// A rating's first feature is its entry of the matrix, which says who rates what.
void write_named_row(const Table& table, std::size_t row, NamedFeatures& into) {
  const Dataset& data = *table.data;
  if (!data.named.empty()) return data.named.write(row, into);
  const RatingSpace& space = *table.ratings;
  const Index entry = data.features(row).indices().front();
  into = {{"user", space.user_names[static_cast<std::size_t>(entry / space.items)]},
          {"item", space.item_names[static_cast<std::size_t>(entry % space.items)]}};
}

// Of a table that says when labels are due.
PlayTimes times_of(const Dataset& data, std::size_t row) {
  PlayTimes times{.now = data.seconds(data.event_time[row])};
  if (const double due = data.due_time[row]; !std::isnan(due)) times.due = data.seconds(due);
  return times;
}

}  // namespace

TableWorld::TableWorld(const Table& table, bool named, const std::vector<std::string>* only)
    : table_(table), named_(named), only_(only) {
  std::optional<Features>& features = std::get<Play>(play_).features;
  if (named_)
    features = NamedFeatures{};
  else if (table_.known == Known::kAtPlay)
    features = SparseVector{};
  else
    x_.resize(static_cast<std::size_t>(table_.weights()));
  for (std::size_t i = 0; i < table_.data->corrected.size(); ++i)
    corrected_[table_.data->corrected[i].row].push_back(i);
}

std::optional<Turn> TableWorld::next() {
  const std::size_t row = row_++;
  if (row >= table_.data->rows()) return std::nullopt;
  std::optional<Features>& features = std::get<Play>(play_).features;
  if (named_) {
    auto& named = std::get<NamedFeatures>(*features);
    if (only_ == nullptr || !only_->empty()) write_named_row(table_, row, named);
    if (only_ != nullptr)
      std::erase_if(named,
                    [&](const auto& x) { return std::find(only_->begin(), only_->end(), x.name) == only_->end(); });
  } else if (features) {
    const Covector x = table_.data->features(row, made_);
    auto& sparse = std::get<SparseVector>(*features);
    sparse.indices.assign(x.indices().begin(), x.indices().end());
    sparse.values.assign(x.values().begin(), x.values().end());
  }
  if (!table_.data->due_time.empty()) std::get<Play>(play_).times = times_of(*table_.data, row);
  return Turn{play_};
}

// A class is known by its name where the model numbers classes as they come.
LabelValue TableWorld::label_of(const Model& model, double given) const {
  const std::vector<std::string>& names = table_.data->classes;
  if (!model.names_classes() || names.empty()) return given;
  return names[static_cast<std::size_t>(table_.loss.label(given))];
}

// What came of a row in the end.
double TableWorld::last_label(std::size_t row) const {
  const auto found = corrected_.find(row);
  return found == corrected_.end() ? table_.data->labels[row] : table_.data->corrected[found->second.back()].label;
}

// Labels carry the times at which they were known, so that the latest counts whichever comes first.
void TableWorld::add_corrections(Coming& coming, const Model& model, Round round, std::size_t row) const {
  const Dataset& data = *table_.data;
  if (data.corrected.empty()) return;
  if (model.revisable().any())
    std::get<Label>(*coming.feedback).revising.sequence = data.seconds(data.feedback_time[row]);
  const auto found = corrected_.find(row);
  if (found == corrected_.end()) return;
  for (const std::size_t i : found->second) {
    Label label{round, label_of(model, data.corrected[i].label)};
    label.revising = {.revise = true, .sequence = data.seconds(data.corrected[i].time)};
    coming.corrections.emplace_back(data.rows() + 1 + i, std::move(label));
  }
}

// The log loss among all classes of the table. Those that a model has not heard of yet have a score of 0: a model that
// knows none is no better than a guess, where among the one class that came it would be right at no cost.
double TableWorld::among_all(std::span<const double> scores, double label) const {
  const auto own = static_cast<std::size_t>(label);
  const std::size_t classes = std::min(scores.size(), table_.data->classes.size());
  return own < classes ? softmax_loss(scores.first(classes), own) : 0;
}

// A prediction is judged by what came of its row in the end.
Coming TableWorld::answer(Round round, const Model& model, const Model::Outcome& decided) {
  const std::size_t row = row_ - 1;
  const double given = table_.data->labels[row];
  Model::Outcome seen = decided;
  if (!x_.empty()) {
    model.write(x_);
    seen.prediction = table_.data->features(row, made_).dot(x_);
  }
  scores_ = seen.scores;
  const bool none_named = model.names_classes() && model.class_names().empty();
  last_ = {.round = round,
           .prediction = none_named ? -1 : seen.prediction,
           .label = given,
           .judged = false,
           .scores = seen.scores};
  if (std::isnan(given)) return {last_};
  Label feedback{decided.round, label_of(model, given)};
  Model::Judged judged = model.judge(seen, label_of(model, last_label(row)));
  if (model.names_classes()) judged.shown = std::max(judged.shown, among_all(seen.scores, judged.label));
  last_ = {round, judged.prediction, judged.label, judged.shown, true, std::move(seen.scores)};
  if (!x_.empty()) feedback.features = table_.data->features(row, made_);
  Coming coming{last_, std::move(feedback)};
  add_corrections(coming, model, decided.round, row);
  return coming;
}

// By number, for models that see names, too: how far it goes towards one class is all that is left of several then.
Covector TableWorld::gradient() {
  if (!last_.judged) return Covector::dense({});
  const Covector features = table_.data->features(row_ - 1, made_);
  if (scores_.empty()) return features.times(table_.loss.slope(last_.prediction, last_.label), gradient_);
  if (named_) return features.times(1 - tarry::exp(-last_.loss), gradient_);
  stacked_.emplace(features, scores_.size(), table_.data->dimension);
  const KnownLoss known{stacked_->view(), table_.loss, last_.label};
  Vec slopes(scores_.size());
  known.slopes(scores_, slopes);
  return known.gradient(slopes, gradient_);
}

Recorded TableWorld::recorded() {
  if (!table_.data->has_times()) return {};
  return [this](double wait) { return recorded_delays(*table_.data, wait); };
}

double TableWorld::nine_in_ten() const { return wait_for_nine_in_ten(*table_.data); }

bool TableWorld::never(Round round) const { return std::isnan(table_.data->labels[round - 1]); }

}  // namespace tarry::lab
