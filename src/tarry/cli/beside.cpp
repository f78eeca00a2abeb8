#include "tarry/cli/beside.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/cli/terminal.h"
#include "tarry/data/text/write_file.h"
#include "tarry/lab/experiment/rival_rows.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLightGbm = "lightgbm";

// Reads rival_rows, and writes {"at_once", "as_recorded"}: the mean loss of each prediction by its own label, as the
// leaderboard has it. Each label counts from when it is known; the model is retrained whenever there are a tenth
// more labels than the last time. Until there are enough for a first one, the share or the mean so far is predicted.
constexpr const char* kScript = R"py(
import json, math, sys
import lightgbm, numpy
with open(sys.argv[1], encoding="utf-8") as file:
    kind = json.loads(next(file))["label"]
    rows = [json.loads(line) for line in file]
names = sorted({name for row in rows for name in row["x"]})
codes = {name: {} for name in names}
words = set()
X = numpy.full((len(rows), len(names)), math.nan)
for i, row in enumerate(rows):
    for k, name in enumerate(names):
        value = row["x"].get(name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            X[i, k] = value
        elif value is not None:
            words.add(k)
            X[i, k] = codes[name].setdefault(json.dumps(value), len(codes[name]))
y = numpy.array([math.nan if row["y"] is None else row["y"] for row in rows])
seen = numpy.array([row["seen"] for row in rows])
known = numpy.array([math.inf if row["known"] is None else row["known"] for row in rows])
judged = ~numpy.isnan(y)
count = int(y[judged].max()) + 1 if kind == "classes" else 1
settings = {"objective": {"number": "regression", "two classes": "binary", "classes": "multiclass"}[kind],
            "verbosity": -1, "num_threads": 1, "deterministic": True, "force_row_wise": True, "seed": 0}
if kind == "classes":
    settings["num_class"] = count

def before_any(labels):
    if kind == "number":
        return labels.mean() if len(labels) else 0.0
    if kind == "two classes":
        return (labels.sum() + 0.5) / (len(labels) + 1)
    shares = numpy.bincount(labels.astype(int), minlength=count) + 0.5
    return shares / shares.sum()

def played(arrivals):
    """arrivals: for each row, which rows' labels have come before it, as a growing list."""
    losses, model, trained = [], None, 0
    come = numpy.zeros(0, dtype=int)
    i = 0
    while i < len(rows):
        come = arrivals(i)
        enough = len(come) >= 20 and (kind == "number" or len(set(y[come])) > 1)
        if enough and len(come) >= max(1.1 * trained, trained + 1):
            data = lightgbm.Dataset(X[come], y[come], categorical_feature=sorted(words), free_raw_data=False)
            model, trained = lightgbm.train(settings, data), len(come)
        end = i + 1
        if model is not None:
            while end < len(rows) and len(arrivals(end)) < 1.1 * trained:
                end += 1
        guesses = model.predict(X[i:end]) if model is not None else [before_any(y[come])]
        for j in range(i, end):
            if not judged[j]:
                continue
            guess = guesses[j - i]
            if kind == "number":
                losses.append((guess - y[j]) ** 2)
            else:
                chance = guess[int(y[j])] if kind == "classes" else guess if y[j] > 0 else 1 - guess
                losses.append(-math.log(min(1.0, max(1e-15, float(chance)))))
        i = end
    mean = float(numpy.mean(losses))
    return math.sqrt(mean) if kind == "number" else mean

come_in_order = numpy.array([k for k in numpy.argsort(known, kind="stable") if judged[k] and math.isfinite(known[k])], dtype=int)
counts = numpy.searchsorted(known[come_in_order], seen, side="left")
all_judged = numpy.nonzero(judged)[0]
counts_at_once = numpy.searchsorted(all_judged, numpy.arange(len(rows)), side="left")
told = {"at_once": played(lambda i: all_judged[:counts_at_once[i]]), "as_recorded": played(lambda i: come_in_order[:counts[i]])}
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(told, file)
)py";

// The status of python3 with these arguments; its words go to the terminal unless they are not wanted.
int python(std::vector<std::string> arguments, bool quiet) {
  arguments.insert(arguments.begin(), "python3");
  std::vector<char*> pointers;
  for (std::string& argument : arguments) pointers.push_back(argument.data());
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  if (quiet) posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "python3", &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return -1;
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

void check_rival(const std::string& rival) {
  if (rival != kLightGbm) throw Error(Code::kBadInput, fmt::format("--beside must be lightgbm ({} came)", rival));
  if (python({"-c", "import lightgbm, numpy"}, true) != 0)
    throw Error(Code::kUnsupported,
                "--beside lightgbm needs a python3 that has the package lightgbm (pip install lightgbm)");
}

void play_rival(const std::string& rival, const lab::Experiment& experiment, const fs::path& folder,
                std::vector<lab::Leaderboard>& boards) {
  print_error(fmt::format("playing {} beside …\n", rival));
  const fs::path rows = folder / "beside.jsonl", told = folder / "beside.json";
  data::write_file(rows, lab::rival_rows(experiment));
  const int status = python({"-c", kScript, rows.string(), told.string()}, false);
  std::error_code ignored;
  fs::remove(rows, ignored);
  if (status != 0)
    throw Error(Code::kUnsupported, fmt::format("--beside {}: python3 ended with status {}", rival, status));
  const spec::Value found = spec::parse_json(Input(told.string()).all());
  fs::remove(told, ignored);
  const spec::Node node(found, "beside");
  for (lab::Leaderboard& board : boards) {
    if (board.stream != experiment.streams.front().name || board.rows.empty()) continue;
    lab::LeaderboardRow row = board.rows.front();  // what is lost and on its way is the data's
    row.learner = "LightGBM, retrained";
    row.value = node.number(board.compared_to ? "as_recorded" : "at_once");
    row.undelayed.reset();
    row.lateness.reset();
    if (board.compared_to) {
      row.undelayed = node.number("at_once");
      row.lateness = row.value / *row.undelayed - 1;
    }
    for (const lab::LeaderboardRow& other : board.rows)
      if (other.undelayed) row.on_its_way = other.on_its_way;
    add_row(board, std::move(row));
  }
}

}  // namespace tarry::cli
