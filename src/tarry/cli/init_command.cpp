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

constexpr const char* kExample = R"(# An experiment: every learner on every stream with every delay and seed.
#   tarry run experiment.toml
# Sets, learners, delays and streams with all their keys: tarry sets, learners, delays, streams.

name = "experiment"
rounds = 2000          # of synthetic streams; files have their own end
seeds = 5              # a number, or a list such as [1, 2, 3]
checkpoints = 60       # log-spaced rounds at which curves are kept
gap = 1e-3             # of the best decision in hindsight, relative: regret is an interval

[set]                  # where decisions lie; a learner may have its own
type = "l1_ball"
dimension = 20         # or "stream"
radius = 1.0

[stream]               # or several, as [[streams]]
type = "random_linear"
dimension = 20
bound = 1.0            # of the gradients

[[delays]]
type = "none"

[[delays]]
type = "geometric"
mean = 50
lost = 0.05            # any delay may lose feedback for good
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
