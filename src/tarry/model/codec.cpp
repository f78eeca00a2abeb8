#include "tarry/model/codec.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/ledger/keys.h"
#include "tarry/model/choice.h"

namespace tarry {
namespace {

using spec::Node;
using spec::Value;

[[noreturn]] void refuse_event(const std::string& why) { throw Error(Code::kBadInput, why); }

const std::string& checked_key(const Node& node) {
  const std::string& key = node.text();
  if (key.empty() || key.size() > kLongestKey)
    refuse_event(fmt::format("key must have 1 to {} bytes ({} came)", kLongestKey, key.size()));
  return key;
}

RoundName read_round(const Node& node, const std::string& key) {
  const Node at = node.at(key, "a round's number or key");
  if (at.is_text()) return checked_key(at);
  return static_cast<Round>(node.count(key, 1, Index{kLastRound}));
}

// Entries in any order; the library wants them ascending.
SparseVector read_sparse(const Node& node) {
  SparseVector given{node.at("indices", "an array of indices").integers(), node.numbers("values")};
  if (std::is_sorted(given.indices.begin(), given.indices.end()) || given.indices.size() != given.values.size())
    return given;
  std::vector<std::size_t> order(given.indices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return given.indices[a] < given.indices[b]; });
  SparseVector sorted;
  for (std::size_t j : order) {
    sorted.indices.push_back(given.indices[j]);
    sorted.values.push_back(given.values[j]);
  }
  return sorted;
}

Features read_gradient(const Node& node) {
  const auto whole = node.find("gradient");
  const bool sparse = node.has("indices") || node.has("values");
  if (whole.has_value() == sparse)
    refuse_event(fmt::format("a receive must have either \"gradient\", or \"indices\" and \"values\" ({} came)",
                             sparse ? "both" : "neither"));
  if (sparse) return read_sparse(node);
  if (whole->is_object()) return read_named(whole->value());
  return whole->numbers();
}

// True: whichever round is next.
Round read_play(const Node& node, const std::string& kind) {
  const bool* next = std::get_if<bool>(&node.at(kind).value().as);
  if (next != nullptr && *next) return 0;
  return static_cast<Round>(node.count(kind, 1, Index{kLastRound}));
}

std::optional<double> number_in(const Node& node, const std::string& key) {
  if (!node.has(key)) return std::nullopt;
  return node.number(key);
}

Event read_one(const Node& node, const std::string& kind) {
  if (kind == "play" || kind == "choose") {
    Play play{.round = read_play(node, kind)};
    if (const auto key = node.find("key")) play.key = checked_key(*key);
    if (const auto features = node.find("features")) play.features = read_features(*features);
    play.times = {number_in(node, "now"), number_in(node, "due")};
    if (kind == "choose" || has_choosing(node)) play.choosing = read_choosing(node);
    return play;
  }
  RoundName round = read_round(node, kind);
  if (kind == "receive") return Gradient{std::move(round), read_gradient(node)};
  if (kind == "expire") return Expire{std::move(round)};
  if (kind == "void") return Void{std::move(round)};
  if (kind == "loss_of") return read_loss_value(std::move(round), node.at("loss", "a number, or two"));
  Label label{std::move(round), read_label(node.at("value", "a number, true, false or the name of a class"))};
  if (const auto features = node.find("features")) label.features = read_features(*features);
  label.revising = read_revising(node);
  label.revising.now = number_in(node, "now");
  if (const auto shown = node.find("shown")) label.shown = read_shown(*shown);
  return label;
}

Value round_value(const RoundName& round) {
  if (round.number > 0) return {static_cast<std::int64_t>(round.number)};
  return {round.key};
}

Value sparse_value(const SparseVector& x) {
  spec::Numbers indices(x.indices.begin(), x.indices.end());
  return {spec::Object{{"indices", Value{indices}}, {"values", Value{x.values}}}};
}

}  // namespace

LossValue read_loss_value(RoundName round, const Node& loss) {
  if (loss.is_number()) return {std::move(round), loss.number()};
  const auto* both = std::get_if<spec::Numbers>(&loss.value().as);
  if (both == nullptr || both->size() != 2) loss.fail("a number, or two: at the decision and at its probe");
  return {std::move(round), (*both)[0], (*both)[1]};
}

Event read_event(const Node& node) {
  if (!node.is_object()) refuse_event(fmt::format("an event must be an object ({} came)", spec::brief(node.value())));
  static const std::string kinds[] = {"play", "choose", "label", "receive", "expire", "void", "loss_of"};
  const std::string* kind = nullptr;
  for (const std::string& one : kinds) {
    if (node.value().find(one) == nullptr) continue;
    if (kind != nullptr) refuse_event(fmt::format("an event must be one thing (\"{}\" and \"{}\" came)", *kind, one));
    kind = &one;
  }
  if (kind == nullptr)
    refuse_event(fmt::format(
        "an event must have \"play\", \"label\", \"receive\", \"loss_of\", \"expire\" or \"void\" ({} came)",
        spec::brief(node.value())));
  Event event = read_one(node, *kind);
  node.refuse_unknown_keys();
  return event;
}

Features read_features(const Node& node) {
  if (!node.is_object()) return node.numbers();
  if (!node.has("indices") || !node.has("values") || node.at("indices").is_number() || node.at("indices").is_text())
    return read_named(node.value());
  SparseVector sparse = read_sparse(node);
  node.refuse_unknown_keys();
  return sparse;
}

LabelValue read_label(const Node& node) {
  if (node.is_text()) return node.text();
  if (std::holds_alternative<bool>(node.value().as)) return node.flag();
  if (!node.is_number()) node.fail("a number, true, false or the name of a class");
  return node.number();
}

Revising read_revising(const Node& node) {
  Revising revising;
  if (const auto revise = node.find("revise")) revising.revise = revise->flag();
  if (node.has("sequence") && node.has("time")) refuse_event("give either sequence or time, not both");
  revising.sequence = number_in(node, node.has("time") ? "time" : "sequence");
  if (const auto part = node.find("part")) {
    revising.part = part->text();
    if (revising.part.empty() || revising.part.size() > kLongestKey)
      refuse_event(fmt::format("part must have 1 to {} bytes ({} came)", kLongestKey, revising.part.size()));
  }
  return revising;
}

Value features_value(const Features& features) {
  return std::visit(
      Overload{[](const Vec& x) { return Value{x}; }, [](const SparseVector& x) { return sparse_value(x); },
               [](const NamedFeatures& x) { return to_value(x); }},
      features);
}

Value label_value(const LabelValue& label) {
  return std::visit([](const auto& x) { return Value{x}; }, label);
}

std::string event_json(const Event& event, Round next) {
  spec::Object object;
  const auto add = [&](const std::string& key, Value value) { object.emplace_back(key, std::move(value)); };
  std::visit(Overload{[&](const Play& e) {
                        const Round round = e.round > 0 ? e.round : next;
                        add("play", round > 0 ? Value{static_cast<std::int64_t>(round)} : Value{true});
                        if (!e.key.empty()) add("key", {e.key});
                        if (e.features) add("features", features_value(*e.features));
                        if (e.choosing) add_members(object, *e.choosing);
                        if (e.times.now) add("now", {*e.times.now});
                        if (e.times.due) add("due", {*e.times.due});
                      },
                      [&](const Gradient& e) {
                        add("receive", round_value(e.round));
                        if (const auto* sparse = std::get_if<SparseVector>(&e.gradient)) {
                          const Value parts = sparse_value(*sparse);
                          for (const auto& [key, value] : std::get<spec::Object>(parts.as)) add(key, value);
                        } else {
                          add("gradient", features_value(e.gradient));
                        }
                      },
                      [&](const Label& e) {
                        add("label", round_value(e.round));
                        add("value", label_value(e.label));
                        if (e.features) add("features", features_value(*e.features));
                        if (e.revising.revise) add("revise", {true});
                        if (e.revising.sequence) add("sequence", {*e.revising.sequence});
                        if (!e.revising.part.empty()) add("part", {e.revising.part});
                        if (e.revising.now) add("now", {*e.revising.now});
                        if (e.shown) add("shown", shown_value(*e.shown));
                      },
                      [&](const Expire& e) { add("expire", round_value(e.round)); },
                      [&](const Void& e) { add("void", round_value(e.round)); },
                      [&](const LossValue& e) {
                        add("loss_of", round_value(e.round));
                        add("loss", e.at_probe ? Value{spec::Numbers{e.loss, *e.at_probe}} : Value{e.loss});
                      }},
             event);
  return spec::to_json({object});
}

}  // namespace tarry
