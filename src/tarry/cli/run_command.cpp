#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <csignal>
#include <ctime>
#include <optional>

#include "tarry/base/error.h"
#include "tarry/cli/ask.h"
#include "tarry/cli/beside.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/experiment_file.h"
#include "tarry/cli/main_curve.h"
#include "tarry/cli/progress.h"
#include "tarry/cli/result_tables.h"
#include "tarry/cli/table.h"
#include "tarry/cli/thread_clock.h"
#include "tarry/data/text/write_file.h"
#include "tarry/lab/experiment/lab.h"
#include "tarry/lab/report/results.h"
#include "tarry/linalg/parallel.h"
#include "tarry/spec/json.h"

namespace tarry::cli {
namespace {

namespace fs = std::filesystem;

constexpr int kInterrupted = 130;  // as shells report a program ended by Ctrl-C

std::atomic<bool> stop_asked{false};

// Ctrl-C ends the run between two rounds; a second one ends the program at once.
class StopOnInterrupt {
 public:
  StopOnInterrupt() {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_asked.store(true); };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &interrupt_);
    sigaction(SIGTERM, &action, &terminate_);
  }
  ~StopOnInterrupt() {
    sigaction(SIGINT, &interrupt_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
  }

 private:
  struct sigaction interrupt_ {
  }, terminate_{};
};

// What the last run's learner would show its users next.
std::string top_lists(const lab::RunResult& run) {
  std::string text;
  for (const lab::TopItems& list : run.top) {
    Table table({{"item"}, {"prediction", true}});
    for (std::size_t i = 0; i < list.items.size(); ++i) table.add({list.items[i], short_number(list.predictions[i])});
    text += fmt::format("\nfor user {} ({}, {}, {}):\n{}", list.user, run.stream, run.delay, run.learner, table.text());
  }
  return text;
}

// "30 runs of 2000 rounds (5 kept from before)"
std::string what_ran(const lab::Experiment& experiment, const lab::LabResult& result) {
  Round shortest = result.runs.front().curves.round.back(), longest = shortest;
  for (const lab::RunResult& run : result.runs) {
    const Round first = experiment.horizons.empty() ? run.curves.round.back() : run.curves.round.front();
    shortest = std::min(shortest, first);
    longest = std::max(longest, run.curves.round.back());
  }
  const std::string rounds =
      shortest == longest ? fmt::format("{}", longest) : fmt::format("{} to {}", shortest, longest);
  const std::string kept = result.kept > 0 ? fmt::format(" ({} kept from before)", result.kept) : "";
  return fmt::format("{}: {} run{} of {} rounds{}\n", experiment.name, result.runs.size(),
                     result.runs.size() == 1 ? "" : "s", rounds, kept);
}

// "trips: event time asked, …": what was inferred from the data, before the results that rest on it.
std::string how_read(const std::vector<lab::Reading>& readings) {
  std::string out;
  for (const lab::Reading& reading : readings)
    for (const std::string& line : reading.lines) out += fmt::format("{}: {}\n", reading.stream, line);
  return out;
}

// What the results mean, in sentences: before the numbers.
std::string what_it_means(const std::vector<lab::Verdict>& verdicts) {
  std::string out;
  for (const lab::Verdict& verdict : verdicts) {
    if (verdicts.size() > 1) out += fmt::format("{}, delay {}:\n", verdict.stream, verdict.delay);
    for (const std::string& line : verdict.says) out += line + "\n";
    out += "\n";
  }
  return out;
}

// Of the model that is kept, for those who would go on with it.
std::string warning(const std::vector<lab::Verdict>& verdicts) {
  if (verdicts.empty() || !verdicts.back().loses) return "";
  return fmt::format("{}, which does not beat {} here; ", verdicts.back().learner, verdicts.back().against);
}

// Tables of one name in many folders are told apart by these: "spring/orders.csv".
std::string title_of(const std::string& path) {
  std::error_code failed;
  if (!lab::is_table(path)) return "";
  const fs::path whole = fs::absolute(path, failed).lexically_normal();
  return failed ? "" : (whole.parent_path().filename() / whole.filename()).string();
}

// A text of the summary that a folder holds; nothing: it holds none that anybody would miss.
std::optional<std::string> text_of_summary(const fs::path& folder, std::string_view key) {
  std::error_code failed;
  if (!fs::exists(folder / "summary.json", failed)) return std::nullopt;
  try {
    const spec::Value before = spec::parse_json(Input((folder / "summary.json").string()).all());
    const spec::Value* member = before.find(std::string(key));
    const auto* text = member != nullptr ? std::get_if<std::string>(&member->as) : nullptr;
    return text != nullptr ? std::optional(*text) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

// runs/NAME, which a name with a slash, or "..", could place anywhere; where that has the results of a table of the
// same name in another folder, runs/FOLDER-NAME.
fs::path folder_of(const lab::Experiment& experiment, const RunOptions& options) {
  const std::string& name = experiment.name;
  if (name.empty() || name == "." || name == ".." ||
      name.find_first_of(std::string_view("/\0", 2)) != std::string::npos)
    throw Error(Code::kBadSpec, fmt::format("{}: experiment: name must be the name of a folder below runs/, without a "
                                            "slash, unless --out names one (name = {})",
                                            options.spec, spec::to_json({name})));
  const fs::path folder = fs::path("runs") / name;
  const std::string title = title_of(options.spec);
  const std::optional<std::string> held = title.empty() ? std::nullopt : text_of_summary(folder, "title");
  const std::string parent = fs::path(title).parent_path().string();
  if (!held || *held == title || fs::path(*held).filename() != fs::path(title).filename() || parent.empty())
    return folder;
  return fs::path("runs") / fmt::format("{}-{}", parent, name);
}

// The folder may hold the results of another experiment, or of another table.
void say_what_is_replaced(const fs::path& folder, const std::string& name, const std::string& title) {
  const std::optional<std::string> other = text_of_summary(folder, "name"), table = text_of_summary(folder, "title");
  const bool another = other && *other != name, another_table = table && !title.empty() && *table != title;
  if (!another && !another_table) return;
  print_error(fmt::format("tarry: {} held the results of {}, which are replaced\n", folder.string(),
                          spec::to_json({another ? *other : *table})));
}

// "2/4" is the second of four.
lab::Shard shard_of(const RunOptions& options) {
  if (options.shard.empty()) return {};
  std::size_t index = 0, count = 0;
  const char* const end = options.shard.data() + options.shard.size();
  const auto first = std::from_chars(options.shard.data(), end, index);
  const bool slash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, count) : first;
  if (!slash || second.ec != std::errc() || second.ptr != end || index < 1 || index > count)
    throw Error(Code::kBadInput,
                fmt::format("--shard must be like 2/4, the second of four parts ({} came)", options.shard));
  if (options.merge) throw Error(Code::kBadInput, "give either --shard or --merge, not both");
  return {index - 1, count};
}

// What a shard says: the tables are made when all parts are there.
std::string shard_line(const RunOptions& options, const lab::Experiment& experiment, const lab::LabResult& result,
                       const fs::path& folder) {
  std::string merge = fmt::format("tarry run {} --out {} --merge", options.spec, folder.string());
  for (const std::string& assignment : options.overrides) merge += fmt::format(" --override '{}'", assignment);
  return fmt::format("{}: part {}, {} run{} ({} kept from before), in {}\nwhen all parts are there: {}\n",
                     experiment.name, options.shard, result.runs.size(), result.runs.size() == 1 ? "" : "s",
                     result.kept, (folder / "runs").string(), merge);
}

// What a table does not say is asked for where somebody can answer.
lab::OwnData read_asking(const RunOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  for (int rounds = 0;; ++rounds) {
    try {
      return read_experiment_file(options.spec, overrides);
    } catch (const data::OpenQuestions& open) {
      constexpr int kMost = 3;  // one answer may lead to another question
      if (!somebody_is_there() || rounds == kMost || !lab::is_table(options.spec)) throw;
      const std::vector<std::string> answers = ask(open.questions());
      if (answers.empty()) throw;
      overrides.insert(overrides.end(), answers.begin(), answers.end());
    }
  }
}

}  // namespace

int run(const RunOptions& options, Output& out) {
  const lab::Shard shard = shard_of(options);
  if (!options.beside.empty()) check_rival(options.beside);
  if (std::error_code failed; lab::is_data(options.spec) && fs::exists(options.spec, failed))
    print_error(fmt::format("reading {} …\n", options.spec));
  std::optional<ThreadLimit> limit;  // for reading too
  if (options.jobs > 0) limit.emplace(options.jobs);
  lab::OwnData read;
  const auto in_file = [&](const Error& error) {
    const std::string message = error.what();
    const bool named =
        error.code() == Code::kIo || message.starts_with(options.spec) || message.starts_with("override");
    return Error(error.code(), named ? message : options.spec + ": " + message);
  };
  try {
    read = read_asking(options);
  } catch (const Error& error) {
    throw in_file(error);
  }
  const lab::Experiment& experiment = read.experiment;
  const fs::path folder = options.out.empty() ? folder_of(experiment, options) : fs::path(options.out);
  lab::LabResult result;
  try {
    const StopOnInterrupt guard;
    ProgressBar bar(experiment.name);
    result = lab::run_experiment(
        experiment,
        {.out = folder,
         .shard = shard,
         .merge = options.merge,
         .jobs = options.jobs,
         .fresh = options.fresh,
         .clock = thread_seconds,
         .progress = {[&](std::size_t done, std::size_t total) { bar.update(done, total); },
                      [&](std::size_t job, const std::string& name, double share) { bar.job(job, name, share); },
                      [&](const std::string& path) { bar.waiting(path); }},
         .stop = &stop_asked});
  } catch (const lab::Interrupted&) {
    print_error(fmt::format("tarry: stopped; finished runs are kept in {} and will not be run again\n",
                            (folder / "runs").string()));
    return kInterrupted;
  } catch (const Error& error) {
    throw in_file(error);
  }
  if (shard.count > 1) {
    out.print(shard_line(options, experiment, result, folder));
    return 0;
  }
  if (result.runs.empty())
    throw Error(Code::kBadInput, fmt::format("--merge: there are no finished runs of {} in {}", options.spec,
                                             (folder / "runs").string()));
  if (result.missing > 0)
    print_error(
        fmt::format("tarry: {} of {} runs are not there yet\n", result.missing, result.missing + result.runs.size()));
  const std::vector<lab::GroupSummary> groups = lab::summarise(result.runs);
  std::vector<lab::Leaderboard> boards = lab::leaderboards(experiment, groups);
  if (!options.beside.empty()) play_rival(options.beside, experiment, folder, boards);
  const std::vector<lab::Verdict> verdicts = lab::verdicts(experiment, boards, groups, result.readings);
  const lab::ReportInput input{.name = experiment.name,
                               .spec_text = read.text,
                               .made = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))),
                               .readings = result.readings,
                               .leaderboards = boards,
                               .networks = result.networks,
                               .about = experiment.about,
                               .title = title_of(options.spec),
                               .verdicts = verdicts};
  say_what_is_replaced(folder, experiment.name, input.title);
  data::write_file(folder / "curves.csv", lab::curves_csv(result.runs));
  data::write_file(folder / "summary.json", lab::summary_json(input, result.runs));
  data::write_file(folder / "report.html", lab::report_html(input, result.runs));

  const std::vector<lab::Evaluated> evaluated = lab::evaluations(groups);
  out.print(what_ran(experiment, result) + how_read(result.readings) + "\n" + what_it_means(verdicts) +
            evaluation_table(evaluated));
  if (evaluated.size() < groups.size())
    out.print(result_table(groups, table_width()) + width_of_regret(groups) + leaderboard_table(boards));
  if (options.terminal) out.print("\n" + main_curve(result.runs, boards, output_width(), wants_colour()));
  out.print(top_lists(result.runs.back()));
  out.print(fmt::format("\nreport   {}\ncurves   {}\nsummary  {}\n", (folder / "report.html").string(),
                        (folder / "curves.csv").string(), (folder / "summary.json").string()));
  if (!experiment.keep.empty())
    out.print(
        fmt::format("rows     {0}\nmodel    {1}  ({2}continue with tarry replay --load {1}, or tarry.Model.load in "
                    "Python)\n",
                    (folder / "predictions.csv").string(), (folder / "model.tarry").string(), warning(verdicts)));
  return 0;
}

}  // namespace tarry::cli
