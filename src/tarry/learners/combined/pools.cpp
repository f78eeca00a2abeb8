#include "tarry/learners/combined/pools.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/learners/kept_memo.h"
#include "tarry/learners/registry.h"

namespace tarry {
namespace {

constexpr Index kMostInstances = Index{1} << 24;

// Keeps the base's spec: copies are made from it as the pool grows.
LearnerFactory factory(const spec::Node& node, const LearnerSetting& setting, std::uint64_t copies = 1) {
  auto base = std::make_shared<const spec::Value>(node.at("base", "a learner").value());
  return [base, setting, copies](std::uint64_t k) {
    LearnerSetting own = setting;
    own.copies = setting.copies * copies;
    own.instance = setting.instance * static_cast<std::uint64_t>(kMostInstances) + k;
    return make_learner(spec::Node(*base, "base"), own);
  };
}

// How many learners a spec makes, by the pools of fixed size inside it.
double copies_in(const spec::Value& spec) {
  double inside = 0;
  if (const auto* array = std::get_if<spec::Array>(&spec.as))
    for (const spec::Value& element : *array) inside += copies_in(element);
  const auto* object = std::get_if<spec::Object>(&spec.as);
  if (object == nullptr) return inside;
  for (const auto& member : *object) inside += copies_in(member.second);
  const spec::Node node(spec, "base");
  const bool fixed = node.owner() == "round_robin" && node.has("delay") && node.at("delay").is_number();
  return std::max(1.0, inside) * (fixed ? node.at("delay").number() : 1);
}

Memo inner_memo(const Memo& memo) { return Memo(memo.begin() + 1, memo.end()); }

}  // namespace

void Pool::grow_to(std::size_t size) {
  if (size > 1 && static_cast<double>(size) * each_ > static_cast<double>(kMostInstances))  // the first says it better
    throw Error(Code::kOutOfMemory, "bold: more than 2^24 copies are waiting");
  while (learners_.size() < size) learners_.push_back(make_(learners_.size()));
}

double Pool::play(std::size_t instance, Round t, const Covector* features, Memo& memo) {
  ensure(instance < learners_.size(), "the copy that plays is one of the pool's");
  ensure(memo.empty(), "a pool's memo begins with the copy's number");
  last_ = instance;
  memo.push_back(static_cast<double>(instance));
  Memo own;
  const double prediction = learners_[instance].play(t, features, own);
  memo.insert(memo.end(), own.begin(), own.end());
  return prediction;
}

std::size_t Pool::player(const Memo& memo) const {
  const std::uint64_t instance = kept_count(memo, 0);
  if (instance < learners_.size()) return instance;
  throw Error(Code::kCorrupt,
              fmt::format("copy {} is said to have played a round, and there are {}", instance, learners_.size()));
}

std::size_t Pool::receive(Round t, const Feedback& feedback, const Memo& memo) {
  const std::size_t instance = player(memo);
  learners_[instance].receive(t, feedback, inner_memo(memo));
  return instance;
}

std::size_t Pool::abandon(Round t, const Memo& memo) {
  const std::size_t instance = player(memo);
  learners_[instance].abandon(t, inner_memo(memo));
  return instance;
}

void Pool::save(ByteWriter& out) const {
  out.u64(learners_.size());
  out.u64(last_);
  for (const AnyLearner& learner : learners_) learner.save(out);
}

void Pool::load(ByteReader& in) {
  const std::uint64_t size = in.count();
  last_ = in.u64();
  if (size == 0 || size > static_cast<std::uint64_t>(kMostInstances) || last_ >= size)
    throw Error(Code::kCorrupt, "snapshot: the pool's size is impossible");
  learners_.clear();
  for (std::uint64_t k = 0; k < size; ++k) {
    learners_.push_back(make_(k));
    learners_.back().load(in);
  }
}

std::size_t Bold::grow() {
  pool_.grow_to(pool_.size() + 1);
  return pool_.size() - 1;
}

double Bold::play(Round t, const Covector* features, Memo& memo) {
  if (free_.empty()) release(grow());
  const std::size_t instance = free_.front();
  free_.pop_front();
  return pool_.play(instance, t, features, memo);
}

void Bold::save(ByteWriter& out) const {
  pool_.save(out);
  out.integers(std::vector<std::int64_t>(free_.begin(), free_.end()));
}

void Bold::load(ByteReader& in) {
  pool_.load(in);
  const auto free = in.integers();
  std::vector<bool> seen(pool_.size());
  for (std::int64_t k : free) {
    if (k < 0 || k >= static_cast<std::int64_t>(pool_.size()) || seen[static_cast<std::size_t>(k)])
      throw Error(Code::kCorrupt, "snapshot: an unknown copy is free, or one is twice");
    seen[static_cast<std::size_t>(k)] = true;
  }
  free_.assign(free.begin(), free.end());
}

RoundRobin::RoundRobin(LearnerFactory make, std::size_t delay) : pool_(std::move(make)) { pool_.grow_to(delay); }

double RoundRobin::play(Round t, const Covector* features, Memo& memo) {
  return pool_.play(played_++ % pool_.size(), t, features, memo);
}

void RoundRobin::save(ByteWriter& out) const {
  pool_.save(out);
  out.u64(played_);
}

void RoundRobin::load(ByteReader& in) {
  const std::size_t delay = pool_.size();
  pool_.load(in);
  if (pool_.size() != delay)
    throw Error(Code::kCorrupt, fmt::format("snapshot: has {} copies where {} are wanted", pool_.size(), delay));
  played_ = in.u64();
}

namespace {

// One copy learns from one answer.
Cost base_cost(const spec::Value& learner, const CostScene& scene) {
  const spec::Value* base = learner.find("base");
  return base != nullptr ? cost_of(*base, scene) : unknown_cost(scene.set);
}

Promise nothing_promised(const spec::Value&) { return {.made = false}; }

// Each side tuned for itself: the delayed learner for T rounds, BOLD's copies for theirs.
VerifyRows pool_rows() {
  return {.pools = {{"delayed_ofw", R"({"type": "delayed_ofw", "horizon": $T, "gradient_bound": 1})"},
                    {"bold", R"({"type": "bold", "base": {"type": "delayed_ofw", "horizon": $C,)"
                             R"( "gradient_bound": 1}})"}}};
}

}  // namespace

LearnerEntry bold_entry() {
  return {.name = "bold",
          .summary = "A pool of undelayed copies of a base learner, each waiting for its own feedback (a baseline)",
          .keys = {{"base", "a learner; tune it for T/(largest outstanding + 1) rounds", ""}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            return Bold(factory(node, setting), copies_in(node.at("base", "a learner").value()));
          },
          .examples = {R"({"type": "bold", "base": {"type": "delayed_ofw", "eta": 0.1}})"},
          .cost = base_cost,
          .promise = nothing_promised,
          .verify = pool_rows,
          .first_file = R"([[learners]]
name = "BOLD"
type = "bold"
base = { type = "delayed_ofw", horizon = "rounds_per_copy", gradient_bound = "stream" }
)"};
}

LearnerEntry round_robin_entry() {
  return {.name = "round_robin",
          .summary = "Copies of a base learner in turn, one for each round of a fixed delay (a baseline)",
          .keys = {{"base", "a learner", ""}, {"delay", "a whole number of at least 1", ""}},
          .make = [](const spec::Node& node, const LearnerSetting& setting) -> AnyLearner {
            const auto delay = static_cast<std::uint64_t>(node.count("delay", 1, kMostInstances));
            if (delay > static_cast<std::uint64_t>(kMostInstances) / setting.copies)
              node.fail_whole(fmt::format("{} copies for each of the {} of the pools around it are more than 2^24",
                                          delay, setting.copies));
            return RoundRobin(factory(node, setting, delay), delay);
          },
          .examples = {R"({"type": "round_robin", "delay": 3, "base": {"type": "delayed_ofw", "eta": 0.1}})"},
          .cost = base_cost,
          .promise = nothing_promised};
}

}  // namespace tarry
