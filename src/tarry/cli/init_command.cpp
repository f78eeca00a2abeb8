#include <fmt/format.h>

#include <filesystem>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/data/text/write_file.h"
#include "tarry/lab/experiment/own_data.h"
#include "tarry/lab/report/results.h"
#include "tarry/learners/registry.h"

namespace tarry::cli {
namespace {

// With every key of an experiment; tests/e2e/reference_test.py looks for them.
constexpr const char* kExample = R"(# An experiment: every learner on every stream with every delay and seed.
#   tarry run experiment.toml
# Sets, learners, delays and streams with all their keys: tarry sets, learners, delays, streams.

name = "experiment"    # the report's title, and the folder: runs/NAME
# about = "…"          # a sentence below the title
rounds = 2000          # of synthetic streams; files have their own end
# horizons = [500, 2000]  # instead of rounds: one game is played, and tuned, for each
seeds = 5              # a number n (1 … n), or a list such as [1, 2, 3]; default 1
checkpoints = 60       # log-spaced rounds at which curves are kept
# comparator = false   # do not look for the best decision in hindsight: no regret
gap = 1e-3             # how precisely it is found, relative to its loss: regret is an interval
# standardise = true   # scale features, and labels of squared, absolute and huber; no regret, because units change
# products, bends, trees  # with standardise, as in a model; by default for auto over a box with room
# keep = "BOLD"        # a learner whose predictions and model are written

# [top]                # for ratings: the unrated items that the learner would rate highest
# users = ["196"]      # for these users
# count = 10

[set]                  # where decisions lie; a learner may have its own
type = "l1_ball"
dimension = 20         # or "stream"
radius = 1.0

[stream]               # or several, as [[streams]]
type = "random_linear"
dimension = 20
bound = 1.0            # of the gradients

[[delays]]             # or one, as [delay]; default: none
type = "none"

[[delays]]
type = "geometric"
mean = 50
lost = 0.05            # any delay may lose feedback for good

# Learners, or one as [learner]. Beside its own keys, each may have name, initial (an array: where it starts), streams (names:
# those it runs on), regret = false (no comparator), its own set, standardise, products, bends and trees, and more:
# docs/lab.md.
)";

std::string example() {
  std::string text = kExample;
  for (const LearnerEntry& entry : learner_registry())
    if (!entry.first_file.empty()) text += "\n" + entry.first_file;
  return text;
}

}  // namespace

void init(const InitOptions& options, Output& out) {
  if (options.csv.empty() && !options.overrides.empty())
    throw Error(Code::kBadInput, "--override goes with --csv: it says what the columns do not");
  const auto folder = options.path == "-" ? std::filesystem::path() : std::filesystem::path(options.path).parent_path();
  const lab::OwnDataFile file =
      options.csv.empty() ? lab::OwnDataFile{example(), 0} : lab::own_data_file(options.csv, options.overrides, folder);
  if (options.path == "-") return out.print(file.text);
  if (std::filesystem::exists(options.path) && !options.force)
    throw Error(Code::kBadInput, fmt::format("{} exists already (--force to replace it)", options.path));
  data::write_file(options.path, file.text);
  if (file.questions == 0) return out.print(fmt::format("wrote {0}; run it with: tarry run {0}\n", options.path));
  out.print(fmt::format("wrote {0}; it has {1} open question{2}: answer {3} in the file, then: tarry run {0}\n",
                        options.path, file.questions, file.questions == 1 ? "" : "s",
                        file.questions == 1 ? "it" : "them"));
}

}  // namespace tarry::cli
