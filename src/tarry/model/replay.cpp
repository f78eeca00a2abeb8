#include "tarry/model/replay.h"

#include <fmt/format.h>

#include <new>
#include <stdexcept>

#include "tarry/base/error.h"
#include "tarry/model/codec.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"
#include "tarry/model/tasks.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

constexpr const char* kGame = "tarry-replay/1";
constexpr const char* kHistory = "tarry-replay/2";

[[noreturn]] void refuse_line(const std::string& why) { throw Error(Code::kBadInput, why); }

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

// As the model was saved, by a version whose tasks may have chosen less by themselves.
ModelSpec as_saved(const spec::Value& model, const std::optional<std::string_view>& snapshot) {
  const ModelSpec spec = ModelSpec::read(model);
  if (!snapshot) return spec;
  const spec::Value saved = ModelSpec::parse(read_head(*snapshot).spec).to_value();
  const auto is_saved = [&](const ModelSpec& s) { return first_difference(s.to_value(), saved, "", "").empty(); };
  if (is_saved(spec)) return spec;
  for (const spec::Value& meant : earlier_meanings(model))
    if (ModelSpec earlier = ModelSpec::read(meant); is_saved(earlier)) return earlier;
  return spec;
}

ModelSpec spec_in(const spec::Node& header, bool game, const std::optional<std::string_view>& snapshot) {
  if (!game) {
    ModelSpec spec = as_saved(header.at("model", "a model's spec").value(), snapshot);
    header.refuse_unknown_keys();
    return spec;
  }
  ModelSpec spec{.set = header.at("set", "a set's spec").value(),
                 .learner = header.at("learner", "a learner's spec").value()};
  if (const auto initial = header.find("initial")) {
    spec.initial = initial->numbers();
    if (spec.initial.empty()) initial->fail("an array of numbers, one for each coordinate");
  }
  header.refuse_unknown_keys();
  return spec;
}

}  // namespace

std::string Replay::line(std::string_view text) {
  ++lines_;
  if (lines_ == 1 && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // a byte order mark
  try {
    return read(text);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("line {}: {}", lines_, error.what()));
  } catch (const std::bad_alloc&) {
    throw Error(Code::kOutOfMemory, fmt::format("line {}: not enough memory", lines_));
  } catch (const std::length_error&) {
    throw Error(Code::kOutOfMemory, fmt::format("line {}: not enough memory", lines_));
  }
}

void Replay::finish() const {
  if (!started()) refuse_line("the log is empty (its first line must be a header)");
}

std::string Replay::read(std::string_view text) {
  if (is_blank(text)) return "";
  if (!started()) {
    start(text);
    return "";
  }
  const spec::Value value = json_.read(text);
  const spec::Node node(value, "event");
  if (game_) return apply_game_event(node);
  const Event event = read_event(node);
  Model::Outcome outcome = model_->apply(event);
  told_.note(*model_, event, outcome);
  outcome.answer = told_.answer(*model_, event, outcome);
  return reply_json(*model_, event, outcome);
}

void Replay::start(std::string_view text) {
  const spec::Value header = json_.read(text);
  const spec::Node node(header, "header");
  const std::string format = node.text("format");
  if (format != kGame && format != kHistory) node.at("format").fail(fmt::format("\"{}\" or \"{}\"", kGame, kHistory));
  game_ = format == kGame;
  const ModelSpec spec = spec_in(node, game_, snapshot_);
  model_.emplace(snapshot_ ? load_snapshot(*snapshot_, spec) : make_model(spec));
}

// Plays without features and gradients by number; a second answer for a round is an error here.
std::string Replay::apply_game_event(const spec::Node& node) {
  const spec::Value& event_value = node.value();
  const bool plays = event_value.find("play") != nullptr, receives = event_value.find("receive") != nullptr;
  if (!node.is_object())
    refuse_line(fmt::format("event must be an object with named keys ({})", spec::brief(node.value())));
  if (plays == receives)
    refuse_line(fmt::format("an event must have either \"play\" or \"receive\" ({} came)", spec::brief(node.value())));
  if (event_value.find("key") != nullptr || event_value.find("features") != nullptr)
    refuse_line(fmt::format("key and features need {}", kHistory));
  node.count(plays ? "play" : "receive", 1, Index{1} << 53);
  const Event event = read_event(node);
  const Model::Outcome outcome = model_->apply(event);
  if (plays) return reply_json(*model_, event, outcome);
  const Round round = std::get<Gradient>(event).round.number;
  if (outcome.answer == Answer::kUnknown)
    refuse_line(fmt::format("round {} has not been played (receive = {}, last play = {})", round, round,
                            model_->ledger().issued()));
  if (outcome.answer == Answer::kUntracked) return reply_json(*model_, event, outcome);
  if (outcome.answer != Answer::kApplied)
    refuse_line(fmt::format("round {} was answered before (receive = {})", round, round));
  return "";
}

std::string Replay::last_line() const {
  return fmt::format("{{\"rounds\": {}, \"outstanding\": {}, \"hash\": \"{}\"}}", model_->ledger().issued(),
                     model_->ledger().outstanding(), model_->hash());
}

}  // namespace tarry
