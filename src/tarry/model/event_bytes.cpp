// Events as bytes: a version, the number of the kind, then its parts in the order of event.h, little-endian; lists and
// texts with their length in front, a variant with the number of its alternative. Version 1 has no times and nothing
// about revisions, version 2 nothing of choosing, version 3 no label with what was shown, version 4 no values of
// losses, version 5 one value of them; events that say nothing of these are still written so.
#include <bit>
#include <cmath>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/ledger/keys.h"
#include "tarry/model/codec.h"

namespace tarry {
namespace {

[[noreturn]] void refuse_bytes(const std::string& why) { throw Error(Code::kCorrupt, "event: " + why); }

void put(ByteWriter& out, const RoundName& round) {
  out.u64(round.number);
  out.text(round.key);
}

void put(ByteWriter& out, const FeatureValue& value) {
  out.u8(static_cast<std::uint8_t>(value.index()));
  std::visit(Overload{[](std::monostate) {}, [&](double x) { out.f64(x); }, [&](bool x) { out.u8(x); },
                      [&](const std::string& x) { out.text(x); },
                      [&](const std::vector<std::string>& x) {
                        out.u64(x.size());
                        for (const std::string& word : x) out.text(word);
                      }},
             value);
}

void put(ByteWriter& out, const NamedFeatures& named) {
  out.u64(named.size());
  for (const NamedFeature& feature : named) {
    out.text(feature.name);
    put(out, feature.value);
  }
}

void put(ByteWriter& out, const Features& features) {
  out.u8(static_cast<std::uint8_t>(features.index()));
  std::visit(Overload{[&](const Vec& x) { out.reals(x); },
                      [&](const SparseVector& x) {
                        out.integers(x.indices);
                        out.reals(x.values);
                      },
                      [&](const NamedFeatures& x) { put(out, x); }},
             features);
}

void put(ByteWriter& out, const std::optional<Features>& features) {
  out.u8(features.has_value());
  if (features) put(out, *features);
}

void put(ByteWriter& out, const LabelValue& label) {
  out.u8(static_cast<std::uint8_t>(label.index()));
  std::visit(
      Overload{[&](double x) { out.f64(x); }, [&](bool x) { out.u8(x); }, [&](const std::string& x) { out.text(x); }},
      label);
}

void put(ByteWriter& out, const std::optional<double>& number) {
  out.u8(number.has_value());
  if (number) out.f64(*number);
}

void put(ByteWriter& out, const Choosing& choosing) {
  put(out, choosing.context);
  out.u64(choosing.actions.size());
  for (const Action& action : choosing.actions) {
    out.text(action.id);
    put(out, action.features);
  }
  out.u64(choosing.exclude.size());
  for (const std::string& id : choosing.exclude) out.text(id);
  out.u8(choosing.shown.has_value());
  if (!choosing.shown) return;
  out.text(choosing.shown->id);
  put(out, choosing.shown->probability);
}

void put(ByteWriter& out, const ShownLater& shown) {
  out.text(shown.action.id);
  put(out, shown.action.features);
  put(out, shown.probability);
}

bool take_flag(ByteReader& in) {
  const std::uint8_t flag = in.u8();
  if (flag > 1) refuse_bytes("a flag is neither 0 nor 1");
  return flag == 1;
}

void check_round(Round round) {
  if (round > kLastRound) refuse_bytes("a round must be at most 2^53");
}

std::string take_key(ByteReader& in) {
  std::string key = in.text();
  if (key.size() > kLongestKey) refuse_bytes("a key must have at most 1024 bytes");
  return key;
}

RoundName take_round(ByteReader& in) {
  RoundName round(in.u64());
  round.key = take_key(in);
  check_round(round.number);
  if ((round.number > 0) == !round.key.empty()) refuse_bytes("a round must have a number or a key");
  return round;
}

// What a client said, whatever it is: the model that takes it checks it.
double take_number(ByteReader& in) { return std::bit_cast<double>(in.u64()); }

std::vector<double> take_numbers(ByteReader& in) {
  std::vector<double> numbers(in.count());
  for (double& each : numbers) each = take_number(in);
  return numbers;
}

FeatureValue take_value(ByteReader& in) {
  switch (in.u8()) {
    case 0:
      return std::monostate{};
    case 1:
      return take_number(in);
    case 2:
      return take_flag(in);
    case 3:
      return in.text();
    case 4: {
      std::vector<std::string> words(in.count());
      for (std::string& word : words) word = in.text();
      return words;
    }
    default:
      refuse_bytes("no such kind of feature");
  }
}

NamedFeatures take_named(ByteReader& in) {
  NamedFeatures named(in.count(9));
  for (NamedFeature& feature : named) {
    feature.name = in.text();
    feature.value = take_value(in);
  }
  return named;
}

Features take_features(ByteReader& in) {
  switch (in.u8()) {
    case 0:
      return take_numbers(in);
    case 1: {
      std::vector<Index> indices = in.integers();
      return SparseVector{std::move(indices), take_numbers(in)};
    }
    case 2:
      return take_named(in);
    default:
      refuse_bytes("no such kind of features");
  }
}

std::optional<Features> take_optional_features(ByteReader& in) {
  if (!take_flag(in)) return std::nullopt;
  return take_features(in);
}

LabelValue take_label(ByteReader& in) {
  switch (in.u8()) {
    case 0:
      return take_number(in);
    case 1:
      return take_flag(in);
    case 2:
      return in.text();
    default:
      refuse_bytes("no such kind of label");
  }
}

std::optional<double> take_optional_number(ByteReader& in) {
  if (!take_flag(in)) return std::nullopt;
  return take_number(in);
}

Revising take_revising(ByteReader& in) {
  Revising revising{.revise = take_flag(in)};
  revising.sequence = take_optional_number(in);
  revising.part = take_key(in);
  revising.now = take_optional_number(in);
  return revising;
}

Choosing take_choosing(ByteReader& in) {
  Choosing choosing{.context = take_named(in)};
  choosing.actions.resize(in.count(16));
  for (Action& action : choosing.actions) {
    action.id = in.text();
    action.features = take_named(in);
  }
  choosing.exclude.resize(in.count(8));
  for (std::string& id : choosing.exclude) id = in.text();
  if (!take_flag(in)) return choosing;
  choosing.shown = ShownInstead{in.text()};
  choosing.shown->probability = take_optional_number(in);
  return choosing;
}

ShownLater take_shown(ByteReader& in) {
  ShownLater shown{.action = {in.text()}};
  shown.action.features = take_named(in);
  shown.probability = take_optional_number(in);
  return shown;
}

Event take_event(ByteReader& in, std::uint8_t version) {
  switch (in.u8()) {
    case 0: {
      Play play{.round = in.u64()};
      check_round(play.round);
      play.key = take_key(in);
      play.features = take_optional_features(in);
      if (version == 1) return play;
      play.times.now = take_optional_number(in);
      play.times.due = take_optional_number(in);
      if (version > 2) play.choosing = take_choosing(in);
      return play;
    }
    case 1: {
      RoundName round = take_round(in);
      return Gradient{std::move(round), take_features(in)};
    }
    case 2: {
      RoundName round = take_round(in);
      LabelValue label = take_label(in);
      Label event{std::move(round), std::move(label), take_optional_features(in)};
      if (version > 1) event.revising = take_revising(in);
      if (version > 3) event.shown = take_shown(in);
      return event;
    }
    case 3:
      return Expire{take_round(in)};
    case 4:
      return Void{take_round(in)};
    case 5: {
      if (version < 5) refuse_bytes("no such kind");
      RoundName round = take_round(in);
      LossValue event{std::move(round), take_number(in)};
      if (version > 5) event.at_probe = take_number(in);
      return event;
    }
    default:
      refuse_bytes("no such kind");
  }
}

// The least that can say it.
std::uint8_t version_of(const Event& event) {
  const auto* play = std::get_if<Play>(&event);
  const auto* label = std::get_if<Label>(&event);
  if (const auto* value = std::get_if<LossValue>(&event)) return value->at_probe ? 6 : 5;
  if (label != nullptr && label->shown) return 4;
  if (play != nullptr && play->choosing) return 3;
  const bool plain =
      (play == nullptr || play->times == PlayTimes{}) && (label == nullptr || label->revising == Revising{});
  return plain ? 1 : 2;
}

}  // namespace

std::string event_bytes(const Event& event) {
  ByteWriter out;
  const std::uint8_t version = version_of(event);
  out.u8(version);
  out.u8(static_cast<std::uint8_t>(event.index()));
  std::visit(Overload{[&](const Play& e) {
                        out.u64(e.round);
                        out.text(e.key);
                        put(out, e.features);
                        if (version == 1) return;
                        put(out, e.times.now);
                        put(out, e.times.due);
                        if (e.choosing) put(out, *e.choosing);
                      },
                      [&](const Gradient& e) {
                        put(out, e.round);
                        put(out, e.gradient);
                      },
                      [&](const Label& e) {
                        put(out, e.round);
                        put(out, e.label);
                        put(out, e.features);
                        if (version == 1) return;
                        out.u8(e.revising.revise);
                        put(out, e.revising.sequence);
                        out.text(e.revising.part);
                        put(out, e.revising.now);
                        if (e.shown) put(out, *e.shown);
                      },
                      [&](const LossValue& e) {
                        put(out, e.round);
                        out.f64(e.loss);
                        if (e.at_probe) out.f64(*e.at_probe);
                      },
                      [&](const auto& e) { put(out, e.round); }},
             event);
  return out.take();
}

Event event_from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  const std::uint8_t version = in.u8();
  if (version == 0 || version > kEventVersion)
    refuse_bytes("version " + std::to_string(version) + " is not one this program reads");
  Event event = take_event(in, version);
  in.expect_end();
  if (version != version_of(event)) refuse_bytes("an earlier version than " + std::to_string(version) + " says this");
  return event;
}

}  // namespace tarry
