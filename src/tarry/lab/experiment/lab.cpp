#include "tarry/lab/experiment/lab.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/data/text/text_source.h"
#include "tarry/lab/experiment/check_keys.h"
#include "tarry/lab/experiment/kept.h"
#include "tarry/lab/report/results.h"
#include "tarry/lab/streams/csv_stream.h"
#include "tarry/linalg/parallel.h"
#include "tarry/losses/registry.h"
#include "tarry/spec/node.h"

namespace tarry::lab {
namespace {

namespace fs = std::filesystem;

// Streams are made once for each spec and seed (files once for all seeds) and shared by all runs that read them.
class Streams {
 public:
  Streams(const Experiment& experiment) : experiment_(experiment) {}

  std::shared_ptr<const Stream> get(const NamedSpec& spec, std::uint64_t seed) {
    const spec::Node node(spec.spec, "stream");
    const std::uint64_t own_seed = stream_entry(node).seeded ? seed : 0;
    const std::lock_guard lock(mutex_);
    auto& made = made_[{spec.name, own_seed}];
    if (!made) {
      const Round rounds = experiment_.horizons.empty() ? experiment_.rounds : experiment_.horizons.back();
      Stream stream = spec.found ? read_csv_stream(node, spec.found.get()) : make_stream(node, rounds, own_seed);
      stream.name = spec.name;
      made = std::make_shared<const Stream>(std::move(stream));
    }
    return made;
  }

 private:
  const Experiment& experiment_;
  std::mutex mutex_;
  std::map<std::pair<std::string, std::uint64_t>, std::shared_ptr<const Stream>> made_;
};

class Lab {
 public:
  Lab(const Experiment& experiment, const LabOptions& options)
      : experiment_(experiment),
        options_(options),
        streams_(experiment),
        results_(options.out / "runs", options.fresh) {
    for (const NamedSpec& stream : experiment_.streams)
      for (const NamedSpec& delay : experiment_.delays)
        for (const LearnerSpec& learner : experiment_.learners)
          for (std::uint64_t seed : experiment_.seeds)
            if (learner.runs_on(stream.name) && learner.runs_with(delay) &&
                planned_++ % options_.shard.count == options_.shard.index)
              plans_.push_back({&stream, &delay, &learner, seed});
    std::error_code failed;
    fs::create_directories(options_.out / "runs", failed);
    if (failed)
      throw Error(Code::kIo,
                  fmt::format("{}: cannot be created: {}", (options_.out / "runs").string(), failed.message()));
  }

  LabResult run() {
    LabResult result;
    if (options_.merge) result.missing = leave_out_what_is_not_kept();
    if (plans_.empty()) return result;  // a part beyond the last run, or a merge of nothing
    check_keys(experiment_);
    result.runs.resize(plans_.size());
    std::optional<ThreadLimit> limit;
    if (options_.jobs > 0) limit.emplace(options_.jobs);
    for (const RunPlan& plan : plans_) check(plan);  // a wrong spec fails before anything has run
    if (options_.progress.overall) options_.progress.overall(0, plans_.size());
    parallel_chunks(static_cast<Index>(plans_.size()), 1, [&](Index k, Index, Index) {
      const auto job = static_cast<std::size_t>(k);
      result.runs[job] = one_run(job);
      const std::lock_guard lock(mutex_);
      if (options_.progress.job) options_.progress.job(job, name_of(plans_[job]), 1);
      if (options_.progress.overall) options_.progress.overall(++finished_, plans_.size());
    });
    result.kept = kept_;
    result.readings = readings();
    result.networks = networks();
    return result;
  }

 private:
  std::size_t leave_out_what_is_not_kept() {
    return std::erase_if(plans_, [&](const RunPlan& plan) {
      const auto key = run_key(plan);
      return !key || !results_.get(*key);
    });
  }

  static std::string name_of(const RunPlan& plan) {
    return fmt::format("{} | {} | {} | seed {}", plan.stream->name, plan.delay->name, plan.learner->name, plan.seed);
  }

  std::vector<Reading> readings() {
    std::vector<Reading> all;
    const NamedSpec* last = nullptr;
    for (const RunPlan& plan : plans_) {
      if (plan.stream == last) continue;  // plans of one stream follow one another
      last = plan.stream;
      const auto stream = streams_.get(*plan.stream, plan.seed);
      if (!stream->read_as.empty())
        all.push_back({plan.stream->name, stream->read_as, stream->by_class, stream->read_table});
    }
    return all;
  }

  std::vector<Network> networks() {
    std::vector<Network> all;
    for (const NamedSpec& spec : experiment_.streams)
      if (auto travel = streams_.get(spec, experiment_.seeds.front())->travel())
        all.push_back({spec.name, std::move(travel)});
    return all;
  }

  // Everything can be made, and fits. Here data is read, for which a pipe may let us wait.
  void check(const RunPlan& plan) {
    constexpr int kCallsBeforeItIsSaid = 10;  // about a second
    std::map<std::string, int> calls;
    const data::WhileWaiting scope([&](const std::string& path) {
      stop_if_told();
      if (++calls[path] == kCallsBeforeItIsSaid && options_.progress.waiting) options_.progress.waiting(path);
    });
    const auto stream = streams_.get(*plan.stream, plan.seed);
    check_run(experiment_, *stream, plan);
    if (delays_checked_.emplace(stream.get(), plan.delay).second) check_delays(*stream, plan);
    stop_if_told();
  }

  // How long the games are, for keys.
  std::string schedule() const {
    return experiment_.horizons.empty() ? fmt::format("{}", experiment_.rounds)
                                        : fmt::format("{}", fmt::join(experiment_.horizons, " "));
  }

  // For whom items are listed at the end.
  std::string tops() const {
    const TopSpec& top = experiment_.top;
    return top.users.empty() ? "" : fmt::format(" top {} {}", top.count, fmt::join(top.users, "\n"));
  }

  void stop_if_told() const {
    if (options_.stop != nullptr && options_.stop->load()) throw Interrupted{};
  }

  RunResult one_run(std::size_t job) {
    stop_if_told();
    const RunPlan& plan = plans_[job];
    const auto stream = streams_.get(*plan.stream, plan.seed);
    RunResult result = played(job, plan, *stream);
    if (experiment_.comparator && plan.learner->regret && has_comparator(*stream)) {
      const Table* table = stream->table();
      const bool rounding = table != nullptr && is_quadratic(table->loss_name);  // as best_at_checkpoints does
      add_regret(result, comparator(plan, *stream), rounding);
    }
    return result;
  }

  // Keys say everything that decides a result. There is none where data comes from a pipe: it cannot be read again.
  std::optional<std::string> run_key(const RunPlan& plan) {
    const auto stream = files_.of(plan.stream->spec), delay = files_.of(plan.delay->spec),
               learner = files_.of(plan.learner->learner), set = files_.of(plan.learner->set);
    if (!stream || !delay || !learner || !set) return std::nullopt;
    return KeptResults::key(
        "run",
        fmt::format(
            "{}\n{}\n{}{}{}{}\n{}\n{}\n{}{}\n{}", *stream, *delay, *learner, spec::to_json({plan.learner->initial}),
            fmt::format("{}{}{}{}", plan.learner->standardise ? " standardised" : "",
                        said(plan.learner->widened.products, "products"), said(plan.learner->widened.bends, "bends"),
                        said(plan.learner->widened.trees, "trees")),
            fmt::format("{}{}", plan.learner->only ? fmt::format(" only {}", fmt::join(*plan.learner->only, "\n")) : "",
                        wait_key(*plan.learner) + policy_key(plan.learner->policy)),
            *set, plan.seed, schedule(), tops(), experiment_.checkpoints));
  }

  static std::string said(const std::optional<bool>& what, const char* name) {
    return what ? fmt::format("{}{}", *what ? " " : " no ", name) : "";
  }

  static std::string wait_key(const LearnerSpec& learner) {
    if (!learner.wait) return "";
    return learner.wait->nine_in_ten ? " waits for nine in ten" : fmt::format(" waits {}", learner.wait->time);
  }

  static std::string policy_key(const Policy& policy) {
    if (policy == Policy{}) return "";
    return fmt::format(" policy {} {}", static_cast<int>(policy.kind), policy.name);
  }

  std::optional<std::string> comparator_key(const RunPlan& plan) {
    const auto stream = files_.of(plan.stream->spec), set = files_.of(plan.learner->set);
    if (!stream || !set) return std::nullopt;
    return KeptResults::key("comparator", fmt::format("{}\n{}\n{}\n{}\n{}\n{}", *stream, *set, stream_seed(plan),
                                                      schedule(), experiment_.checkpoints, experiment_.gap));
  }

  static std::uint64_t stream_seed(const RunPlan& plan) {
    return stream_entry(spec::Node(plan.stream->spec, "stream")).seeded ? plan.seed : 0;
  }

  RunResult played(std::size_t job, const RunPlan& plan, const Stream& stream) {
    // Played again each time, unless its shard has done so: its files are not among the kept results.
    const bool keep = is_kept(plan) && !options_.merge;
    const auto key = run_key(plan);
    if (const auto json = key && !keep ? results_.get(*key) : std::nullopt) {
      RunResult result = run_from_json(*json);
      result.stream = plan.stream->name;  // names may have changed since
      result.delay = plan.delay->name;
      result.learner = plan.learner->name;
      const std::lock_guard lock(mutex_);
      ++kept_;
      return result;
    }
    const auto progress = [&](Round done, Round total) {
      if (!options_.progress.job) return;
      const std::lock_guard lock(mutex_);
      options_.progress.job(job, name_of(plan), static_cast<double>(done) / static_cast<double>(total));
    };
    RunResult result =
        play_run(experiment_, stream, plan, {options_.clock, progress, options_.stop, keep ? options_.out : ""});
    if (key) results_.put(*key, to_json(result));
    return result;
  }

  // The last of that learner's runs with the first seed: on the last stream, with the last of the delays.
  bool is_kept(const RunPlan& plan) const {
    if (plan.learner->name != experiment_.keep || plan.seed != experiment_.seeds.front()) return false;
    const auto last = std::find_if(experiment_.streams.rbegin(), experiment_.streams.rend(),
                                   [&](const NamedSpec& stream) { return plan.learner->runs_on(stream.name); });
    return plan.stream == &*last && plan.delay == &experiment_.delays.back();
  }

  // One for all the learners and delays that share a stream, a seed and a set; who comes first computes it.
  std::vector<Interval> comparator(const RunPlan& plan, const Stream& stream) {
    const auto key = comparator_key(plan);
    const std::string name =
        fmt::format("{}\n{}\n{}", plan.stream->name, spec::to_json(plan.learner->set), stream_seed(plan));
    std::shared_ptr<Shared> shared;
    {
      const std::lock_guard lock(mutex_);
      auto& entry = comparators_[name];
      if (!entry) entry = std::make_shared<Shared>();
      shared = entry;
    }
    const std::lock_guard lock(shared->mutex);
    if (!shared->best.empty()) return shared->best;
    const auto checkpoints = run_checkpoints(experiment_, stream);
    if (const auto json = key ? results_.get(*key) : std::nullopt) return shared->best = intervals_from_json(*json);
    shared->best =
        best_at_checkpoints(set_for(*plan.learner, stream), stream, checkpoints, experiment_.gap, options_.stop);
    if (key) results_.put(*key, intervals_to_json(shared->best));
    return shared->best;
  }

  struct Shared {
    std::mutex mutex;
    std::vector<Interval> best;
  };

  const Experiment& experiment_;
  const LabOptions& options_;
  Streams streams_;
  Descriptions files_;
  KeptResults results_;
  std::size_t planned_ = 0;
  std::vector<RunPlan> plans_;
  std::mutex mutex_;
  std::size_t finished_ = 0, kept_ = 0;
  std::set<std::pair<const Stream*, const NamedSpec*>> delays_checked_;
  std::map<std::string, std::shared_ptr<Shared>> comparators_;
};

}  // namespace

LabResult run_experiment(const Experiment& experiment, const LabOptions& options) {
  return Lab(experiment, options).run();
}

}  // namespace tarry::lab
