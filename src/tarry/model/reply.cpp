#include "tarry/model/reply.h"

#include <fmt/format.h>

#include "tarry/spec/value.h"

namespace tarry {
namespace {

// The name of a class, or its label where classes have none.
void append_class(std::string& out, const Model& model, std::size_t at) {
  if (model.names_classes())
    spec::append_json(out, model.class_names()[at]);
  else
    spec::append_json(out, model.shown(static_cast<double>(at)));
}

void append_decision(std::string& out, const Model& model) {
  const Vec x = model.decision();
  out += "\"decision\": ";
  spec::append_json(out, x);
  if (model.names().empty()) return;
  out += ", \"allocation\": {";
  for (std::size_t i = 0; i < x.size(); ++i) {
    out += i > 0 ? ", " : "";
    spec::append_json(out, model.names()[i]);
    out += ": ";
    spec::append_json(out, x[i]);
  }
  out += "}";
}

void append_sample(std::string& out, const Model& model) {
  const SparseVector v = model.sample();
  out += fmt::format("\"sample\": {{\"indices\": [{}], \"values\": ", fmt::join(v.indices, ", "));
  spec::append_json(out, v.values);
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
  }
  return "";
}

void append_prediction(std::string& out, const Model& model, const Model::Outcome& outcome) {
  out += "\"prediction\": ";
  if (outcome.scores.empty()) return spec::append_json(out, model.shown(outcome.prediction));
  const Vec p = model.probabilities(outcome.scores);
  const auto likeliest = static_cast<std::size_t>(outcome.prediction);
  if (likeliest >= p.size())
    out += "null";  // no class has a name yet
  else
    append_class(out, model, likeliest);
  out += ", \"scores\": {";
  for (std::size_t c = 0; c < p.size(); ++c) {
    out += c > 0 ? ", " : "";
    if (!model.names_classes()) out += '"';
    append_class(out, model, c);
    if (!model.names_classes()) out += '"';
    out += ": ";
    spec::append_json(out, p[c]);
  }
  out += "}";
}

std::string reply_json(const Model& model, const Event& event, const Model::Outcome& outcome) {
  const auto* play = std::get_if<Play>(&event);
  if (play == nullptr) {
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
  std::string out = fmt::format("{{\"round\": {}", outcome.round);
  if (play->features) {
    out += ", ";
    append_prediction(out, model, outcome);
  } else if (outcome.answer == Answer::kApplied) {
    out += ", ";
    append_decision(out, model);
  }
  if (outcome.answer == Answer::kApplied && model.samples()) {
    out += ", ";
    append_sample(out, model);
  }
  if (outcome.answer != Answer::kApplied) out += fmt::format(", \"answer\": \"{}\"", name_of(outcome.answer));
  return out + "}";
}

}  // namespace tarry
