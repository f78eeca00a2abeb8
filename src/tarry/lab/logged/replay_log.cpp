// A log of choices of our own (tarry-replay/2): its model is played again, and says again what it chose and how likely
// each action was.
#include <fmt/format.h>

#include <limits>
#include <unordered_map>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/data/formats/dataset_builder.h"
#include "tarry/data/text/text_lines.h"
#include "tarry/lab/logged/read_log.h"
#include "tarry/model/codec.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

using spec::Node;

// The time of an event is the number of its line.
class ReplayReader {
 public:
  explicit ReplayReader(const std::string& path) : lines_(path) {}

  Logged read() {
    std::string_view line;
    spec::JsonReader json;
    while (lines_.next(line)) {
      if (data::trimmed(line).empty()) continue;
      try {
        const spec::Value value = json.read(line);
        if (!model_)
          begin(Node(value, "header"));
        else
          take(read_event(Node(value, "event")));
      } catch (const Error& error) {
        throw Error(error.code(), fmt::format("{}: line {}: {}", std::string(lines_.place().file), lines_.place().line,
                                              error.what()));
      }
    }
    return finish();
  }

 private:
  struct Row {
    NamedFeatures context;
    LoggedChoice choice;
    double played = 0, reward = data::kUnknownLabel, rewarded = data::kNeverKnown;
    bool judged = true;  // it was shown, and how likely that was is known
  };

  void begin(const Node& header) {
    if (header.text("format") != "tarry-replay/2") header.at("format").fail("\"tarry-replay/2\"");
    model_.emplace(make_model(ModelSpec::read(header.at("model", "a model's spec").value())));
    if (!model_->choice()) header.fail_whole("its model does not choose");
  }

  void take(const Event& event) {
    const Model::Outcome outcome = model_->apply(event);
    const auto now = static_cast<double>(lines_.place().line);
    if (outcome.answer != Answer::kApplied) return;
    std::visit(Overload{[&](const Play& e) { play(*e.choosing, outcome, now); },
                        [&](const Label& e) {
                          if (e.shown) put_shown(rows_.at(outcome.round - 1), *e.shown);
                          label(rows_.at(outcome.round - 1), as_reward(e.label), now);
                        },
                        [&](const Expire&) { expire(rows_.at(outcome.round - 1), now); },
                        [&](const Void&) { rows_.at(outcome.round - 1).judged = false; }, [](const Gradient&) {},
                        [](const LossValue&) {}},
               event);
  }

  void play(const Choosing& asked, const Model::Outcome& outcome, double now) {
    Row row{.context = asked.context,
            .choice = {.actions = nullptr, .probability = outcome.choice->probability},
            .played = now};
    const std::string& taken = asked.shown ? asked.shown->id : outcome.choice->action;
    std::vector<Action> left;
    for (const Action& action : asked.actions.empty() ? model_->choice()->actions : asked.actions) {
      const bool excluded = std::find(asked.exclude.begin(), asked.exclude.end(), action.id) != asked.exclude.end();
      if (excluded && action.id != taken) continue;
      if (action.id == taken) row.choice.taken = left.size();
      left.push_back(action);
    }
    if (asked.shown) {
      row.judged = asked.shown->probability.has_value();
      row.choice.probability = asked.shown->probability.value_or(1);
    } else {
      for (const RankedAction& each : outcome.choice->ranking)
        if (std::any_of(left.begin(), left.end(), [&](const Action& a) { return a.id == each.id; }))
          row.choice.probabilities.push_back(each.probability);
    }
    row.choice.actions = std::make_shared<const std::vector<Action>>(std::move(left));
    rows_.push_back(std::move(row));
    const Round wait = model_->expiry().rounds;  // at this play the model has given up those that are so old
    for (; wait > 0 && given_up_ + wait < outcome.round; ++given_up_)
      if (Row& old = rows_.at(given_up_); old.rewarded == data::kNeverKnown) expire(old, now);
  }

  // A reward that says what was shown: that was taken, with what probability is known or not.
  static void put_shown(Row& row, const ShownLater& shown) {
    const std::vector<Action>& actions = *row.choice.actions;
    const auto at =
        std::find_if(actions.begin(), actions.end(), [&](const Action& a) { return a.id == shown.action.id; });
    row.judged = shown.probability && at != actions.end();
    row.choice.taken = at == actions.end() ? 0 : static_cast<std::size_t>(at - actions.begin());
    row.choice.probability = shown.probability.value_or(1);
    row.choice.probabilities.clear();
  }

  // Of a model that adds rewards up, this is a part.
  void label(Row& row, double value, double now) const {
    const bool adds = model_->revisable().labels == LabelsAre::kSum && row.rewarded != data::kNeverKnown;
    reward(row, value + (adds ? row.reward : 0), now);
  }

  static void reward(Row& row, double value, double now) {
    row.reward = value;
    row.rewarded = now;
  }

  void expire(Row& row, double now) const {
    if (const auto& then = model_->expiry().then_label) reward(row, as_reward(*then), now);
  }

  Logged finish() {
    Logged log;
    data::DatasetBuilder builder;
    for (Row& row : rows_) {
      if (!row.judged) continue;
      builder.named();
      for (NamedFeature& feature : row.context) builder.add_named(feature.name, std::move(feature.value));
      builder.end_row(row.reward, row.played, row.rewarded);
      log.choices.push_back(std::move(row.choice));
    }
    log.data = builder.take(1);
    log.read_as.push_back(fmt::format("{} choices of a model that was played again", log.choices.size()));
    if (log.choices.size() < rows_.size())
      log.read_as.push_back(
          fmt::format("{} more are void, or were shown with no probability", rows_.size() - log.choices.size()));
    return log;
  }

  data::TextLines lines_;
  std::optional<Model> model_;
  std::vector<Row> rows_;
  Round given_up_ = 0;  // all rounds up to here were answered or given up by their age
};

}  // namespace

Logged read_replay_log(const std::string& path) { return ReplayReader(path).read(); }

}  // namespace tarry::lab
