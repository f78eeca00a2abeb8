#include "tarry/lab/play/game.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "tarry/base/elementary.h"
#include "tarry/lab/streams/named_rows.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/stacked.h"

namespace tarry::lab {
namespace {

// A model whose time is taken.
class Timed {
 public:
  Timed(Model& model, const std::function<double()>& clock, double& seconds)
      : model_(model), clock_(clock), seconds_(seconds) {}
  Model::Outcome play(const std::optional<FeaturesView>& features = std::nullopt) {
    return timed([&] { return model_.play(features); });
  }
  void receive(Round k, const Covector& gradient) {
    timed([&] { return model_.receive(k, gradient); });
  }
  void label(Round k, const LabelValue& label, const std::optional<FeaturesView>& features) {
    timed([&] { return model_.label(k, label, features); });
  }

 private:
  template <class Step>
  Model::Outcome timed(Step step) {
    if (!clock_) return step();
    const double before = clock_();
    Model::Outcome outcome = step();
    seconds_ += clock_() - before;
    return outcome;
  }

  Model& model_;
  const std::function<double()>& clock_;
  double& seconds_;
};

// Losses over the raw decision: the world keeps each gradient until it is delivered.
class RawRounds {
 public:
  RawRounds(Model& model, const RawStream& stream, Played& played)
      : model_(model), stream_(stream), played_(played), x_(played.slope_sum.size()), b_(x_.size()) {}

  RoundPlayed play(Timed& timed, Round t, Delays& delays) {
    timed.play();
    model_.write(x_);
    stream_.slope(t, x_, b_);
    const double curvature = stream_.curvature;
    const double loss = kernels::dot(b_, x_) + curvature / 2 * kernels::sum_of_squares(x_);
    kernels::blend(played_.slope_sum, 1, b_, 1);
    played_.curvature += curvature;
    kernels::blend(b_, 1, x_, curvature);  // now the gradient at x
    delays.played(t, Covector::dense(b_));
    in_transit_.emplace(t, b_);
    return {t, 0, 0, loss};
  }

  void deliver(Timed& timed, Round k) {
    const auto feedback = in_transit_.extract(k);
    timed.receive(k, Covector::dense(feedback.mapped()));
  }

 private:
  Model& model_;
  const RawStream& stream_;
  Played& played_;
  Vec x_, b_;
  std::unordered_map<Round, Vec> in_transit_;
};

// Rows of data: the model keeps what it needs of a round, the world the label.
class DataRounds {
 public:
  DataRounds(Model& model, const Stream& stream) : model_(model), stream_(stream) {
    if (stream.known == Known::kAtFeedback) x_.resize(static_cast<std::size_t>(stream.dimension));
  }

  RoundPlayed play(Timed& timed, Round t, Delays& delays) {
    const std::size_t row = t - 1;
    const Covector features = stream_.data->features(row);
    double prediction = 0;
    Vec scores;
    if (stream_.known == Known::kAtPlay) {
      Model::Outcome outcome = timed.play(features);
      prediction = outcome.prediction;
      scores = std::move(outcome.scores);
    } else {
      timed.play();
      model_.write(x_);
      prediction = features.dot(x_);
    }
    const double given = stream_.data->labels[row];
    if (std::isnan(given)) {
      delays.played(t, Covector::dense({}));
      return {.round = t, .prediction = prediction, .label = given, .judged = false};
    }
    const double label = stream_.loss->label(given);
    if (!scores.empty()) {
      const Stacked stacked(features, scores.size(), stream_.data->dimension);
      const KnownLoss known{stacked.view(), *stream_.loss, label};
      Vec slopes(scores.size());
      known.slopes(scores, slopes);
      delays.played(t, known.gradient(slopes, gradient_));
      return {t, prediction, label, known.value(scores)};
    }
    delays.played(t, features.times(stream_.loss->slope(prediction, label), gradient_));
    return {t, prediction, label, stream_.loss->value(prediction, label)};
  }

  void deliver(Timed& timed, Round k) {
    const std::size_t row = k - 1;
    if (std::isnan(stream_.data->labels[row])) return;  // never known, whatever the delay
    std::optional<FeaturesView> features;
    if (stream_.known == Known::kAtFeedback) features = stream_.data->features(row);
    timed.label(k, stream_.data->labels[row], features);
  }

 private:
  Model& model_;
  const Stream& stream_;
  Vec x_;  // the decision, where a row is known only after it
  Vec gradient_;
};

// Rows by name, for models that take names. A class is known by its name: the model numbers classes as they come.
class NamedRounds {
 public:
  NamedRounds(Model& model, const Stream& stream, const std::vector<std::string>* only)
      : model_(model), stream_(stream), only_(only) {}

  RoundPlayed play(Timed& timed, Round t, Delays& delays) {
    const std::size_t row = t - 1;
    if (only_ == nullptr || !only_->empty()) write_named_row(stream_, row, named_);
    if (only_ != nullptr)
      std::erase_if(named_,
                    [&](const auto& x) { return std::find(only_->begin(), only_->end(), x.name) == only_->end(); });
    const Model::Outcome outcome = timed.play(named_);
    const double given = stream_.data->labels[row];
    if (std::isnan(given)) {
      delays.played(t, Covector::dense({}));
      return {.round = t, .prediction = outcome.prediction, .label = given, .judged = false};
    }
    const double label = stream_.loss->label(given);
    const Covector features = stream_.data->features(row);
    if (outcome.scores.empty()) {
      const double slope = stream_.loss->slope(outcome.prediction, label);
      delays.played(t, features.times(slope, gradient_));
      return {t, outcome.prediction, label, stream_.loss->value(outcome.prediction, label)};
    }
    const std::size_t own = class_of(given, label);
    const double loss = log_loss(outcome.scores, own);
    delays.played(t, features.times(1 - tarry::exp(-loss), gradient_));
    const bool none_met = model_.names_classes() && model_.class_names().empty();
    return {t, none_met ? -1 : outcome.prediction, static_cast<double>(own), loss};
  }

  void deliver(Timed& timed, Round k) {
    const double label = stream_.data->labels[k - 1];
    if (std::isnan(label)) return;  // never known, whatever the delay
    if (model_.names_classes())
      timed.label(k, name_of(label), std::nullopt);
    else
      timed.label(k, label, std::nullopt);
  }

 private:
  LabelValue name_of(double given) const {
    const std::vector<std::string>& names = stream_.data->classes;
    if (names.empty()) return given;
    return names[static_cast<std::size_t>(stream_.loss->label(given))];
  }

  // Its number in the model; a new one's is the next.
  std::size_t class_of(double given, double label) {
    if (!model_.names_classes()) return static_cast<std::size_t>(label);
    const auto& names = model_.class_names();
    while (numbers_.size() < names.size()) numbers_.emplace(names[numbers_.size()], numbers_.size());
    const auto known = numbers_.find(tarry::class_name(name_of(given)));
    return known == numbers_.end() ? names.size() : known->second;
  }

  // −ln of its share, among the classes met so far and itself. One for which the model has no room has none.
  double log_loss(const Vec& scores, std::size_t own) const {
    if (own >= scores.size()) return std::numeric_limits<double>::infinity();
    const std::size_t met = model_.names_classes() ? model_.class_names().size() : scores.size();
    const auto shown = std::span(scores).first(std::max(met, own + 1));
    const double top = *std::max_element(shown.begin(), shown.end());
    double sum = 0;
    for (const double score : shown) sum += tarry::exp(score - top);
    return top + tarry::log(sum) - scores[own];
  }

  Model& model_;
  const Stream& stream_;
  const std::vector<std::string>* only_;
  NamedFeatures named_;                                   // of the last row
  std::unordered_map<std::string, std::size_t> numbers_;  // of the model's classes
  Vec gradient_;
};

template <class Rounds>
void play_rounds(Model& model, Rounds rounds, Delays& delays, const GameOptions& options, Played& played) {
  Timed timed(model, options.clock, played.seconds);
  for (Round t = 1; t <= options.rounds; ++t) {
    const RoundPlayed round = rounds.play(timed, t, delays);
    played.loss += round.loss;
    for (Round k : delays.arriving(t)) rounds.deliver(timed, k);
    if (options.after) options.after(round, played);
  }
}

}  // namespace

Played play_game(Model& model, const Stream& stream, Delays& delays, const GameOptions& options) {
  Played played;
  if (stream.raw) {
    played.slope_sum.assign(static_cast<std::size_t>(stream.dimension), 0.0);
    play_rounds(model, RawRounds(model, *stream.raw, played), delays, options, played);
  } else if (model.features().takes_names()) {
    play_rounds(model, NamedRounds(model, stream, options.only), delays, options, played);
  } else {
    play_rounds(model, DataRounds(model, stream), delays, options, played);
  }
  return played;
}

Stream raw_game(RawStream raw, Index dimension) {
  Stream stream;
  stream.dimension = dimension;
  stream.raw = std::move(raw);
  return stream;
}

}  // namespace tarry::lab
