#include "tarry/model/replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <numeric>

#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/sets/registry.h"

namespace tarry {
namespace {

constexpr const char* kFormat = "tarry-replay/1";

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kBadInput, why); }

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

Round read_round(const spec::Node& node, const std::string& key) {
  return static_cast<Round>(node.count(key, 1, Index{1} << 53));
}

// Sparse entries in any order; the library wants them ascending.
struct SparseEntries {
  std::vector<Index> indices;
  Vec values;
};

SparseEntries read_sparse(const spec::Node& node) {
  SparseEntries given{node.at("indices", "an array of indices").integers(), node.numbers("values")};
  if (std::is_sorted(given.indices.begin(), given.indices.end()) || given.indices.size() != given.values.size())
    return given;
  std::vector<std::size_t> order(given.indices.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return given.indices[a] < given.indices[b]; });
  SparseEntries sorted;
  for (std::size_t j : order) {
    sorted.indices.push_back(given.indices[j]);
    sorted.values.push_back(given.values[j]);
  }
  return sorted;
}

}  // namespace

std::optional<Replay::Played> Replay::line(std::string_view text) {
  ++lines_;
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
  if (!started()) refuse("the log is empty (its first line must be a header)");
}

std::optional<Replay::Played> Replay::read(std::string_view text) {
  if (is_blank(text)) return std::nullopt;
  if (!started()) {
    start(text);
    return std::nullopt;
  }
  const spec::Value value = json_.read(text);
  const spec::Node node(value, "event");
  const bool plays = node.has("play"), receives = node.has("receive");
  if (plays == receives)
    refuse(fmt::format("an event must have either \"play\" or \"receive\" ({} came)", spec::brief(value)));
  if (plays) return play(node);
  receive(node);
  return std::nullopt;
}

void Replay::start(std::string_view text) {
  header_ = json_.read(text);
  const spec::Node node(header_, "header");
  if (const std::string format = node.text("format"); format != kFormat)
    node.at("format").fail(fmt::format("\"{}\"", kFormat));
  LearnerSetting setting{make_set(node.at("set", "a set's spec")), {}};
  if (const auto initial = node.find("initial")) {
    setting.initial = initial->numbers();
    if (setting.initial.empty()) initial->fail(fmt::format("an array of {} numbers", setting.set.dimension()));
  }
  AnyLearner learner = make_learner(node.at("learner", "a learner's spec"), setting);
  node.refuse_unknown_keys();
  model_.emplace(std::move(setting.set), std::move(learner));
}

Replay::Played Replay::play(const spec::Node& node) {
  const Round round = read_round(node, "play"), next = model_->ledger().issued() + 1;
  node.refuse_unknown_keys();
  if (round != next) refuse(fmt::format("play must be the next round, {} (play = {})", next, round));
  decision_.resize(full_size(model_->set().dimension()));
  model_->play();
  model_->write(decision_);
  return {round, decision_};
}

void Replay::receive(const spec::Node& node) {
  const Round round = read_round(node, "receive");
  const auto dense = node.find("gradient");
  if (dense && (node.has("indices") || node.has("values")))
    refuse("a receive must have either \"gradient\", or \"indices\" and \"values\" (both came)");
  Vec values;
  SparseEntries entries;
  if (dense)
    values = dense->numbers();
  else if (node.has("indices") || node.has("values"))
    entries = read_sparse(node);
  else
    refuse("a receive must have either \"gradient\", or \"indices\" and \"values\" (neither came)");
  node.refuse_unknown_keys();
  const Covector gradient = dense ? Covector::dense(values) : Covector::sparse(entries.indices, entries.values);
  switch (model_->receive(round, gradient).answer) {
    case Answer::kApplied:
      return;
    case Answer::kExpired:
    case Answer::kDuplicate:
      refuse(fmt::format("round {} was answered before (receive = {})", round, round));
    case Answer::kUnknown:
      refuse(fmt::format("round {} has not been played (receive = {}, last play = {})", round, round,
                         model_->ledger().issued()));
  }
}

}  // namespace tarry
