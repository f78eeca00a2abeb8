#include "tarry/model/revisable.h"

#include <array>
#include <string>

namespace tarry {
namespace {

constexpr Round kUntold = 100'000;  // rounds, where only `labels` is given
constexpr std::array<const char*, 3> kNames = {"first", "last", "sum"};

void read_span(const spec::Node& given, Revisable& revisable) {
  if (given.is_number()) {
    revisable.rounds = static_cast<Round>(given.number());
    if (!(given.number() >= 1 && given.number() <= 0x1p53) || static_cast<double>(revisable.rounds) != given.number())
      given.fail("a number of rounds, or an object with rounds or seconds");
    return;
  }
  if (!given.is_object()) given.fail("a number of rounds, or an object with rounds or seconds");
  const spec::Node node(given.value(), "revisable");
  if (node.has("rounds") == node.has("seconds")) node.fail_whole("give either rounds or seconds");
  if (node.has("rounds")) revisable.rounds = static_cast<Round>(node.count("rounds", 1, spec::Index{1} << 53));
  if (node.has("seconds")) revisable.seconds = node.positive("seconds");
  node.refuse_unknown_keys();
}

}  // namespace

Revisable Revisable::read(const spec::Node& model) {
  Revisable revisable;
  if (const auto labels = model.find("labels")) {
    std::size_t which = 0;
    while (which < kNames.size() && (!labels->is_text() || labels->text() != kNames[which])) ++which;
    if (which == kNames.size()) labels->fail("\"first\", \"last\" or \"sum\"");
    revisable.labels = static_cast<LabelsAre>(which);
    if (revisable.labels != LabelsAre::kFirst) revisable.rounds = kUntold;
  }
  if (const auto given = model.find("revisable")) {
    revisable.rounds = 0;
    read_span(*given, revisable);
  }
  return revisable;
}

void Revisable::add_to(spec::Object& model) const {
  if (labels != LabelsAre::kFirst)
    model.emplace_back("labels", spec::Value{std::string(kNames[static_cast<std::size_t>(labels)])});
  if (!any()) return;
  spec::Value span = rounds > 0 ? spec::Value{static_cast<std::int64_t>(rounds)} : spec::Value{seconds};
  model.emplace_back("revisable", spec::Value{spec::Object{{rounds > 0 ? "rounds" : "seconds", std::move(span)}}});
}

}  // namespace tarry
