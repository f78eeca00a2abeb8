#include "tarry/lab/experiment/lab.h"

#include <fmt/format.h>

#include <fstream>
#include <map>
#include <mutex>
#include <sstream>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/lab/report/results.h"
#include "tarry/linalg/parallel.h"
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
      Stream stream =
          make_stream(node, experiment_.horizons.empty() ? experiment_.rounds : experiment_.horizons.back(), own_seed);
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

// A file name that changes whenever anything that decides the result does.
std::string key_of(const std::string& kind, const std::string& description) {
  const std::string whole = kind + "\n" + kVersion + "\n" + description;
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (unsigned char byte : whole) hash = (hash ^ byte) * 0x100000001b3u;
  return fmt::format("{}-{:016x}{:08x}.json", kind, hash, crc32c(whole));
}

// Specs with a path depend on what is in the file there, which is read once.
class Descriptions {
 public:
  std::string of(const spec::Value& spec) {
    std::string text = spec::to_json(spec);
    add_files(spec, text);
    return text;
  }

 private:
  void add_files(const spec::Value& spec, std::string& text) {
    if (const auto* array = std::get_if<spec::Array>(&spec.as))
      for (const spec::Value& element : *array) add_files(element, text);
    const auto* object = std::get_if<spec::Object>(&spec.as);
    if (object == nullptr) return;
    for (const auto& [key, member] : *object) {
      const auto* path = std::get_if<std::string>(&member.as);
      if (path != nullptr && (key == "path" || key == "lp_file"))
        text += " " + digest(*path);
      else
        add_files(member, text);
    }
  }

  std::string digest(const std::string& path) {
    const std::lock_guard lock(mutex_);
    std::string& digest = digests_[path];
    if (!digest.empty()) return digest;
    std::ifstream in(path, std::ios::binary);
    std::string block(std::size_t{1} << 20, '\0');
    do {
      in.read(block.data(), static_cast<std::streamsize>(block.size()));
      digest += fmt::format("{:08x}", crc32c({block.data(), static_cast<std::size_t>(in.gcount())}));
    } while (in);
    return digest;
  }

  std::mutex mutex_;
  std::map<std::string, std::string> digests_;
};

std::optional<std::string> read_whole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

class Lab {
 public:
  Lab(const Experiment& experiment, const LabOptions& options)
      : experiment_(experiment), options_(options), streams_(experiment) {
    for (const NamedSpec& stream : experiment_.streams)
      for (const NamedSpec& delay : experiment_.delays)
        for (const LearnerSpec& learner : experiment_.learners)
          for (std::uint64_t seed : experiment_.seeds)
            if (learner.runs_on(stream.name)) plans_.push_back({&stream, &delay, &learner, seed});
    std::error_code failed;
    fs::create_directories(options_.out / "runs", failed);
    if (failed)
      throw Error(Code::kIo,
                  fmt::format("{}: cannot be created: {}", (options_.out / "runs").string(), failed.message()));
  }

  LabResult run() {
    LabResult result;
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
    return result;
  }

 private:
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
      if (!stream->read_as.empty()) all.push_back({plan.stream->name, stream->read_as});
    }
    return all;
  }

  // Everything can be made, and fits.
  void check(const RunPlan& plan) {
    check_run(experiment_, *streams_.get(*plan.stream, plan.seed), plan);
    stop_if_told();
  }

  std::optional<std::string> kept(const fs::path& path) const {
    return options_.fresh ? std::nullopt : read_whole(path);
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
    const bool certifiable = stream->raw || stream->loss->outputs() == 1;  // the comparator knows no classes
    if (experiment_.comparator && plan.learner->regret && certifiable) add_regret(result, comparator(plan, *stream));
    return result;
  }

  RunResult played(std::size_t job, const RunPlan& plan, const Stream& stream) {
    const fs::path path =
        options_.out / "runs" /
        key_of("run",
               fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}", files_.of(plan.stream->spec), files_.of(plan.delay->spec),
                           files_.of(plan.learner->learner) + spec::to_json({plan.learner->initial}) +
                               (plan.learner->standardise ? " standardised" : ""),
                           files_.of(plan.learner->set), plan.seed, schedule() + tops(), experiment_.checkpoints));
    if (const auto text = kept(path)) {
      try {
        RunResult result = run_from_json(*text);
        result.stream = plan.stream->name;  // names may have changed since
        result.delay = plan.delay->name;
        result.learner = plan.learner->name;
        const std::lock_guard lock(mutex_);
        ++kept_;
        return result;
      } catch (const Error&) {  // not a file of ours, or damaged: run again
      }
    }
    const auto progress = [&](Round done, Round total) {
      if (!options_.progress.job) return;
      const std::lock_guard lock(mutex_);
      options_.progress.job(job, name_of(plan), static_cast<double>(done) / static_cast<double>(total));
    };
    RunResult result = play_run(experiment_, stream, plan, {options_.clock, progress, options_.stop});
    write_file(path, to_json(result));
    return result;
  }

  // One for all the learners and delays that share a stream, a seed and a set; who comes first computes it.
  std::vector<Interval> comparator(const RunPlan& plan, const Stream& stream) {
    const std::string key = key_of(
        "comparator", fmt::format("{}\n{}\n{}\n{}\n{}\n{}", files_.of(plan.stream->spec), files_.of(plan.learner->set),
                                  stream_entry(spec::Node(plan.stream->spec, "stream")).seeded ? plan.seed : 0,
                                  schedule(), experiment_.checkpoints, experiment_.gap));
    std::shared_ptr<Shared> shared;
    {
      const std::lock_guard lock(mutex_);
      auto& entry = comparators_[key];
      if (!entry) entry = std::make_shared<Shared>();
      shared = entry;
    }
    const std::lock_guard lock(shared->mutex);
    if (!shared->best.empty()) return shared->best;
    const auto checkpoints = run_checkpoints(experiment_, stream);
    const fs::path path = options_.out / "runs" / key;
    if (const auto text = kept(path)) {
      try {
        shared->best = intervals_from_json(*text);
        if (shared->best.size() == checkpoints.size()) return shared->best;
      } catch (const Error&) {
      }
    }
    shared->best = best_at_checkpoints(set_for(*plan.learner, stream), stream, checkpoints, experiment_.gap);
    write_file(path, intervals_to_json(shared->best));
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
  std::vector<RunPlan> plans_;
  std::mutex mutex_;
  std::size_t finished_ = 0, kept_ = 0;
  std::map<std::string, std::shared_ptr<Shared>> comparators_;
};

}  // namespace

LabResult run_experiment(const Experiment& experiment, const LabOptions& options) {
  return Lab(experiment, options).run();
}

}  // namespace tarry::lab
