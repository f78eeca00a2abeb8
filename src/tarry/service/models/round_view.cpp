#include "tarry/service/models/round_view.h"

#include <fmt/format.h>

#include <iterator>

#include "tarry/base/overload.h"
#include "tarry/model/codec.h"
#include "tarry/model/reply.h"
#include "tarry/service/watch/drift_watch.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

using namespace hosting;

constexpr std::size_t kExplainedParts = 20;  // of an explanation; the others are summed

void append_seconds(std::string& out, const char* name, std::int64_t ms) {
  fmt::format_to(std::back_inserter(out), ", \"{}\": ", name);
  spec::append_json(out, static_cast<double>(ms) / 1000);
}

const Play* play_of(const FoundRound& found) { return found.play ? std::get_if<Play>(&found.play->event) : nullptr; }

std::string key_of_round(const Served& served, const KnownRound& known, const FoundRound& found) {
  if (const Play* play = play_of(found)) return play->key;
  const std::string* key = served.model->model().keys().key_of(known.round);
  return key == nullptr ? "" : *key;
}

std::optional<std::int64_t> played_ms(const KnownRound& known, const FoundRound& found) {
  if (found.play) return found.play->at_ms;
  return known.since_ms;
}

std::string_view state_text(const KnownRound& known, const FoundRound& found) {
  switch (known.state) {
    case KnownRound::kWaiting:
      return "waiting";
    case KnownRound::kDeferred:
      return "deferred";
    case KnownRound::kAnswered:
      return "answered";
    case KnownRound::kGivenUp:
      break;
  }
  if (found.feedback.empty()) return "expired";
  const Event& last = found.feedback.back().event;
  return std::holds_alternative<Void>(last) ? "void" : std::holds_alternative<Expire>(last) ? "expired" : "answered";
}

void append_asked(std::string& out, const Play& play) {
  if (play.features) out += ", \"features\": " + spec::to_json(features_value(*play.features));
  if (!play.choosing) return;
  out += ", \"context\": " + spec::to_json(features_value(Features(play.choosing->context)));
  if (play.choosing->actions.empty()) return;
  out += ", \"actions\": [";
  for (const Action& action : play.choosing->actions) {
    if (out.back() != '[') out += ", ";
    spec::append_json(out, action.id);
  }
  out += "]";
}

ShownPrediction kept_prediction(const Model& model, double prediction) {
  const auto at = static_cast<std::size_t>(prediction);
  if (model.loss()->outputs() > 1 && model.names_classes() && prediction >= 0 && at < model.class_names().size())
    return {.value = LabelValue(model.class_names()[at])};
  return {.value = LabelValue(prediction)};
}

// False: it is not kept.
bool append_answer(std::string& out, const Served& served, const KnownRound& known, const FoundRound& found) {
  std::optional<PlayReply> reply =
      served.model->answer_of(known.round, play_of(found), found.play ? found.play->once : std::optional<Once>());
  if (reply && reply->choice) {
    fmt::format_to(std::back_inserter(out), ", \"action\": ");
    spec::append_json(out, reply->choice->action);
    out += ", \"probability\": ";
    spec::append_json(out, reply->choice->probability);
    return true;
  }
  if (reply && reply->prediction) {
    out += ", ";
    append_members(out, *reply->prediction);
    return true;
  }
  const Model& model = served.model->model();
  if (!known.prediction || !model.loss() || model.choice()) return false;
  out += ", ";
  append_members(out, kept_prediction(model, *known.prediction));
  return true;
}

void append_feedback(std::string& out, const Apply& entry, std::optional<std::int64_t> played) {
  out += out.back() == '[' ? "{\"at\": " : ", {\"at\": ";
  spec::append_json(out, static_cast<double>(entry.at_ms) / 1000);
  if (played) append_seconds(out, "after", entry.at_ms - *played);
  std::visit(
      Overload{[](const Play&) {}, [&](const Gradient&) { out += ", \"gradient\": true"; },
               [&](const Label& e) {
                 out += ", \"label\": " + spec::to_json(label_value(e.label));
                 if (e.revising.revise) out += ", \"revise\": true";
               },
               [&](const Expire&) { out += ", \"expired\": true"; }, [&](const Void&) { out += ", \"void\": true"; },
               [&](const LossValue& e) {
                 out += ", \"loss\": ";
                 spec::append_json(out, e.loss);
               }},
      entry.event);
  out += "}";
}

// What the model as it is now says of the same features.
void append_now(std::string& out, const Model& model, const Play& play) {
  if (!play.features || !model.loss() || model.choice()) return;
  try {
    const FeaturesView features(*play.features);
    std::string now = ", \"now\": {";
    append_members(now, shown_prediction(model, model.predict(features)));
    now += ", \"explanation\": " + spec::to_json(to_value(model.contributions(features), kExplainedParts)) + "}";
    out += now;
  } catch (const Error&) {  // a champion of another kind took over since
  }
}

// What nobody knows any more, and why.
std::vector<std::string> unknown_of(const KnownRound& known, const FoundRound& found, const FoundRounds& all) {
  std::vector<std::string> unknown;
  const char* why = all.pruned    ? "the log no longer has it"
                    : all.gave_up ? "it is further than a million entries away in the log"
                                  : "it is not in the log";
  if (!found.play) unknown.push_back(fmt::format("features: {}", why));
  const bool closed = known.state == KnownRound::kAnswered || known.state == KnownRound::kGivenUp;
  if (closed && found.feedback.empty()) unknown.push_back(fmt::format("feedback: {}", why));
  return unknown;
}

// The value that an alarm is about, in one of its rounds.
void append_value(std::string& out, const quality::Alarm& alarm, const FoundRound& found) {
  using quality::DriftKind;
  const Play* play = play_of(found);
  if ((alarm.kind == DriftKind::kFeature || alarm.kind == DriftKind::kNewNames) && play != nullptr && play->features) {
    const spec::Value features = features_value(*play->features);
    const spec::Value* value = features.find(alarm.column);
    out += ", \"value\": " + (value == nullptr ? std::string("null") : spec::to_json(*value));
  }
  if (found.feedback.empty()) return;
  const Apply& last = found.feedback.back();
  if (alarm.kind == DriftKind::kDelay && found.play) append_seconds(out, "value", last.at_ms - found.play->at_ms);
  const auto* label = std::get_if<Label>(&last.event);
  if (alarm.kind == DriftKind::kLabel && label != nullptr)
    out += ", \"value\": " + spec::to_json(label_value(label->label));
}

}  // namespace

std::string round_json(const Served& served, const KnownRound& known, const FoundRounds& all, std::int64_t now_ms) {
  const FoundRound& found = all.rounds.front();
  std::string out =
      fmt::format(R"({{"model": "{}", "round": {}, "state": "{}")", served.name, known.round, state_text(known, found));
  if (const std::string key = key_of_round(served, known, found); !key.empty()) {
    out += ", \"key\": ";
    spec::append_json(out, key);
  }
  const auto played = played_ms(known, found);
  if (played) append_seconds(out, "played", *played);
  if (known.since_ms) append_seconds(out, "waits", std::max<std::int64_t>(0, now_ms - *known.since_ms));
  if (const Play* play = play_of(found)) append_asked(out, *play);
  std::vector<std::string> unknown = unknown_of(known, found, all);
  if (!append_answer(out, served, known, found) && served.model->model().loss())
    unknown.emplace_back("prediction: it is kept while a round waits, and then if it has a key or came lately");
  out += ", \"feedback\": [";
  for (const Apply& entry : found.feedback) append_feedback(out, entry, played);
  out += "]";
  if (const Play* play = play_of(found)) append_now(out, served.model->model(), *play);
  out += ", \"unknown\": [";
  for (const std::string& one : unknown) {
    if (out.back() != '[') out += ", ";
    spec::append_json(out, one);
  }
  return out + "]}";
}

std::string alarm_json(const Served& served, const quality::Alarm& alarm, const std::vector<KnownRound>& known,
                       const FoundRounds& found, std::int64_t now_ms) {
  std::string out = fmt::format(R"({{"model": "{}", "alarm": {}, "kind": "{}", "column": )", served.name, alarm.number,
                                name_of(alarm.kind));
  spec::append_json(out, alarm.column);
  out += ", \"text\": ";
  spec::append_json(out, text_of(alarm));
  append_seconds(out, "since", alarm.since_ms);
  append_seconds(out, "until", alarm.over_ms == 0 ? now_ms : alarm.over_ms);
  out += ", \"rounds\": [";
  for (std::size_t k = 0; k < known.size(); ++k) {
    const FoundRound& one = found.rounds[k];
    fmt::format_to(std::back_inserter(out), R"({}{{"round": {}, "state": "{}")", k == 0 ? "" : ", ", known[k].round,
                   state_text(known[k], one));
    if (const std::string key = key_of_round(served, known[k], one); !key.empty()) {
      out += ", \"key\": ";
      spec::append_json(out, key);
    }
    if (const auto played = played_ms(known[k], one)) append_seconds(out, "played", *played);
    append_answer(out, served, known[k], one);
    append_value(out, alarm, one);
    out += "}";
  }
  return out + "]}";
}

}  // namespace tarry::service
