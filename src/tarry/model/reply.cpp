#include "tarry/model/reply.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry {
namespace {

// The name of a class, or its label where classes have none.
LabelValue class_shown(const Model& model, std::size_t at) {
  if (model.names_classes()) return model.class_names()[at];
  return model.shown(static_cast<double>(at));
}

void append_label(std::string& out, const LabelValue& label) {
  if (const auto* name = std::get_if<std::string>(&label)) return spec::append_json(out, *name);
  if (const auto* truth = std::get_if<bool>(&label)) {
    out += *truth ? "true" : "false";
    return;
  }
  spec::append_json(out, std::get<double>(label));
}

std::string key_of(const LabelValue& label) {
  if (const auto* name = std::get_if<std::string>(&label)) return *name;
  std::string out;
  append_label(out, label);
  return out;
}

void append(std::string& out, const ShownDecision& decision) {
  out += "\"decision\": ";
  spec::append_json(out, decision.x);
  if (decision.names.empty()) return;
  out += ", \"allocation\": {";
  for (std::size_t i = 0; i < decision.x.size(); ++i) {
    out += i > 0 ? ", " : "";
    spec::append_json(out, decision.names[i]);
    out += ": ";
    spec::append_json(out, decision.x[i]);
  }
  out += "}";
}

void append(std::string& out, const SparseVector& sample) {
  out += fmt::format("\"sample\": {{\"indices\": [{}], \"values\": ", fmt::join(sample.indices, ", "));
  spec::append_json(out, sample.values);
  out += "}";
}

std::string not_applied(const RoundName& name, const Model::Outcome& outcome) {
  std::string out = "{";
  if (name.number > 0)
    out += fmt::format("\"round\": {}", name.number);
  else
    out += "\"key\": " + spec::to_json({name.key});
  return out + fmt::format(", \"answer\": \"{}\"}}", name_of(outcome.answer));
}

void append(std::string& out, const Choice& choice) {
  out += "\"action\": ";
  spec::append_json(out, choice.action);
  out += ", \"probability\": ";
  spec::append_json(out, choice.probability);
  if (!choice.shown.empty()) {
    out += ", \"shown\": ";
    spec::append_json(out, choice.shown);
  }
  if (choice.ranking.empty()) return;
  const char* before = ", \"ranking\": [";
  for (const RankedAction& each : choice.ranking) {
    out += before;
    out += "{\"id\": ";
    spec::append_json(out, each.id);
    out += ", \"probability\": ";
    spec::append_json(out, each.probability);
    out += ", \"reward\": ";
    spec::append_json(out, each.reward);
    out += "}";
    before = ", ";
  }
  out += "]";
}

[[noreturn]] void not_a_reply(const char* why) {
  throw Error(Code::kCorrupt, fmt::format("not a reply to a play: {}", why));
}

const spec::Value& member(const spec::Value& object, const char* key) {
  const spec::Value* found = object.find(key);
  if (found == nullptr) not_a_reply("a member is missing");
  return *found;
}

double number_in(const spec::Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value.as)) return static_cast<double>(*whole);
  if (const auto* number = std::get_if<double>(&value.as)) return *number;
  not_a_reply("a number is wanted");
}

Vec numbers_in(const spec::Value& value) {
  if (const auto* numbers = std::get_if<spec::Numbers>(&value.as)) return Vec(numbers->begin(), numbers->end());
  if (const auto* array = std::get_if<spec::Array>(&value.as); array != nullptr && array->empty()) return {};
  not_a_reply("an array of numbers is wanted");
}

const spec::Object& object_in(const spec::Value& value) {
  const auto* object = std::get_if<spec::Object>(&value.as);
  if (object == nullptr) not_a_reply("an object is wanted");
  return *object;
}

ShownPrediction read_prediction(const spec::Value& json, const spec::Value& value) {
  ShownPrediction prediction;
  if (const auto* name = std::get_if<std::string>(&value.as))
    prediction.value = *name;
  else if (!std::holds_alternative<std::monostate>(value.as))
    prediction.value = number_in(value);
  if (const spec::Value* scores = json.find("scores")) {
    prediction.scores.emplace();
    for (const auto& [name, score] : object_in(*scores)) prediction.scores->emplace_back(name, number_in(score));
  }
  return prediction;
}

ShownDecision read_decision(const spec::Value& json, const spec::Value& value) {
  ShownDecision decision{.x = numbers_in(value), .names = {}};
  if (const spec::Value* allocation = json.find("allocation"))
    for (const auto& [name, part] : object_in(*allocation)) decision.names.push_back(name);
  if (!decision.names.empty() && decision.names.size() != decision.x.size()) not_a_reply("names do not fit");
  return decision;
}

const std::string& text_in(const spec::Value& value) {
  const auto* text = std::get_if<std::string>(&value.as);
  if (text == nullptr) not_a_reply("a text is wanted");
  return *text;
}

Choice read_choice(const spec::Value& json, const spec::Value& action) {
  Choice choice{.action = text_in(action), .probability = number_in(member(json, "probability"))};
  if (const spec::Value* shown = json.find("shown")) choice.shown = text_in(*shown);
  const spec::Value* ranking = json.find("ranking");
  if (ranking == nullptr) return choice;
  const auto* list = std::get_if<spec::Array>(&ranking->as);
  if (list == nullptr) not_a_reply("ranking must be an array");
  for (const spec::Value& each : *list)
    choice.ranking.push_back(
        {text_in(member(each, "id")), number_in(member(each, "probability")), number_in(member(each, "reward"))});
  return choice;
}

Answer answer_named(const spec::Value& value) {
  const auto* name = std::get_if<std::string>(&value.as);
  for (const Answer answer : {Answer::kApplied, Answer::kDuplicate, Answer::kUnknown, Answer::kExpired})
    if (name != nullptr && *name == name_of(answer)) return answer;
  not_a_reply("its answer has no such name");
}

}  // namespace

std::string_view name_of(Answer answer) {
  switch (answer) {
    case Answer::kApplied:
      return "applied";
    case Answer::kDuplicate:
      return "duplicate";
    case Answer::kUnknown:
      return "unknown";
    case Answer::kExpired:
      return "expired";
    case Answer::kConflict:
      return "conflict";
    case Answer::kUntracked:
      return "untracked";
  }
  return "";
}

ShownPrediction shown_prediction(const Model& model, const Model::Outcome& outcome) {
  ShownPrediction shown;
  if (outcome.scores.empty()) {
    shown.value = model.shown(outcome.prediction);
    return shown;
  }
  const Vec p = model.probabilities(outcome.scores);
  const auto likeliest = static_cast<std::size_t>(outcome.prediction);
  if (likeliest < p.size()) shown.value = class_shown(model, likeliest);
  shown.scores.emplace().reserve(p.size());
  for (std::size_t c = 0; c < p.size(); ++c) shown.scores->emplace_back(key_of(class_shown(model, c)), p[c]);
  return shown;
}

PlayReply reply_to_play(const Model& model, const Play& play, const Model::Outcome& outcome) {
  PlayReply reply{.round = outcome.round, .answer = outcome.answer};
  const bool applied = outcome.answer == Answer::kApplied;
  reply.choice = outcome.choice;
  if (reply.choice) return reply;
  if (play.features)
    reply.prediction = shown_prediction(model, outcome);
  else if (applied)
    reply.decision = ShownDecision{.x = model.decision(), .names = model.names()};
  if (applied && model.samples()) reply.sample = model.sample();
  if (reply.decision && model.probes()) reply.probe = model.probe();
  return reply;
}

void append_members(std::string& out, const ShownPrediction& prediction) {
  out += "\"prediction\": ";
  if (prediction.value)
    append_label(out, *prediction.value);
  else
    out += "null";
  if (!prediction.scores) return;
  out += ", \"scores\": {";
  const char* comma = "";
  for (const auto& [name, score] : *prediction.scores) {
    out += comma;
    spec::append_json(out, name);
    out += ": ";
    spec::append_json(out, score);
    comma = ", ";
  }
  out += "}";
}

void append_members(std::string& out, const PlayReply& reply) {
  fmt::format_to(std::back_inserter(out), "\"round\": {}", reply.round);
  if (reply.prediction) {
    out += ", ";
    append_members(out, *reply.prediction);
  }
  if (reply.decision) {
    out += ", ";
    append(out, *reply.decision);
  }
  if (reply.sample) {
    out += ", ";
    append(out, *reply.sample);
  }
  if (reply.probe) {
    out += ", \"probe\": ";
    spec::append_json(out, *reply.probe);
  }
  if (reply.choice) {
    out += ", ";
    append(out, *reply.choice);
  }
  if (reply.answer != Answer::kApplied)
    fmt::format_to(std::back_inserter(out), ", \"answer\": \"{}\"", name_of(reply.answer));
}

std::string to_json(const PlayReply& reply) {
  std::string out = "{";
  append_members(out, reply);
  out += "}";
  return out;
}

PlayReply read_play_reply(const spec::Value& json) {
  PlayReply reply;
  const auto* round = std::get_if<std::int64_t>(&member(json, "round").as);
  if (round == nullptr || *round < 0) not_a_reply("round must be a whole number");
  reply.round = static_cast<Round>(*round);
  if (const spec::Value* prediction = json.find("prediction")) reply.prediction = read_prediction(json, *prediction);
  if (const spec::Value* decision = json.find("decision")) reply.decision = read_decision(json, *decision);
  if (const spec::Value* sample = json.find("sample")) {
    reply.sample.emplace().values = numbers_in(member(*sample, "values"));
    for (const double index : numbers_in(member(*sample, "indices")))
      reply.sample->indices.push_back(static_cast<Index>(index));
  }
  if (const spec::Value* probe = json.find("probe")) reply.probe = numbers_in(*probe);
  if (const spec::Value* action = json.find("action")) reply.choice = read_choice(json, *action);
  if (const spec::Value* answer = json.find("answer")) reply.answer = answer_named(*answer);
  return reply;
}

PlayReply read_play_reply(std::string_view json) {
  try {
    return read_play_reply(spec::parse_json(json));
  } catch (const Error& error) {
    if (error.code() == Code::kCorrupt) throw;
    not_a_reply(error.what());
  }
}

std::string reply_json(const Model& model, const Event& event, const Model::Outcome& outcome) {
  if (const auto* play = std::get_if<Play>(&event)) return to_json(reply_to_play(model, *play, outcome));
  if (outcome.answer == Answer::kApplied) return "";
  return std::visit(
      [&](const auto& e) -> std::string {
        if constexpr (std::is_same_v<std::decay_t<decltype(e)>, Play>)
          return "";
        else
          return not_applied(e.round, outcome);
      },
      event);
}

}  // namespace tarry
