// lab/: experiments and the checks of the theorems. Both run in a thread of their own, so that Python can be
// interrupted.
#include "tarry/lab/experiment/lab.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <atomic>
#include <chrono>
#include <future>
#include <mutex>

#include "bind.h"
#include "own.h"
#include "tarry/base/error.h"
#include "tarry/lab/report/results.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/spec/toml.h"
#include "values.h"

namespace nb = nanobind;
using namespace nb::literals;

namespace tarry::python {
namespace {

double now_in_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// How far the work is, told by its threads and read by Python's.
struct Progress {
  std::atomic<std::size_t> done{0}, total{0};
  std::atomic<bool> stop{false};
};

// Waits for the work; tells the callback how far it is, and stops the work at Ctrl-C or where the callback raises.
template <class T>
T wait_for(std::future<T>& work, Progress& progress, nb::handle callback) {
  constexpr auto kEvery = std::chrono::milliseconds(50);
  std::size_t told = 0;
  try {
    for (;;) {
      {
        const nb::gil_scoped_release released;
        if (work.wait_for(kEvery) == std::future_status::ready) break;
      }
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      const std::size_t done = progress.done;
      if (!callback.is_none() && done != told) callback(done, progress.total.load());
      told = done;
    }
  } catch (...) {
    progress.stop = true;
    const nb::gil_scoped_release released;
    work.wait();
    throw;
  }
  if (!callback.is_none() && progress.total > 0) callback(progress.done.load(), progress.total.load());
  return work.get();
}

struct Ran {
  lab::LabResult result;
  std::string curves, summary, report;
};

Ran run_all(const lab::Experiment& experiment, const std::string& text, const lab::LabOptions& options) {
  Ran ran;
  ran.result = lab::run_experiment(experiment, options);
  const auto& runs = ran.result.runs;
  const auto boards = lab::leaderboards(experiment, lab::summarise(runs));
  const lab::ReportInput input{experiment.name, text, "", ran.result.readings, boards, {}, experiment.about};
  ran.curves = lab::curves_csv(runs);
  ran.summary = lab::summary_json(input, runs);
  ran.report = lab::report_html(input, runs);
  return ran;
}

// The experiment's curves (CSV), summary (JSON) and report (HTML).
nb::tuple run(nb::handle spec, const std::vector<std::string>& overrides, const std::string& folder, int jobs,
              bool fresh, nb::handle callback) {
  const Own own = std::make_shared<OwnParts>();
  const HandedToAll to_all(own);
  const Handed objects(own);
  const auto toml = to_text(spec);
  spec::Value file = toml ? spec::parse_toml(*toml) : to_value(spec, "experiment");
  for (const std::string& assignment : overrides) lab::override_key(file, assignment);
  const lab::Experiment experiment = lab::read_experiment(file);
  const std::string text = toml ? std::string(*toml) : spec::to_json(file);
  Progress progress;
  lab::LabOptions options;
  options.out = folder;
  options.jobs = jobs;
  options.fresh = fresh || !own->objects.empty();  // code that is handed in may have changed since
  options.clock = now_in_seconds;
  options.stop = &progress.stop;
  options.progress.overall = [&](std::size_t done, std::size_t total) {
    progress.total = total;
    progress.done = done;
  };
  options.progress.job = [](std::size_t, const std::string&, double) {};
  options.progress.waiting = [](const std::string&) {};
  auto work = std::async(std::launch::async, [&] { return run_all(experiment, text, options); });
  const Ran ran = wait_for(work, progress, callback);
  return nb::make_tuple(ran.curves, ran.summary, ran.report, ran.result.kept);
}

template <class Checks>
nb::dict counted(const Checks& checks) {
  std::size_t failed = 0;
  for (const auto& check : checks) failed += check.passed() ? 0 : 1;
  nb::dict counts;
  counts["passed"] = checks.size() - failed;
  counts["failed"] = failed;
  return counts;
}

nb::dict verify(bool quick, std::uint64_t climb, nb::handle callback) {
  Progress progress;
  const auto tell = [&](std::size_t done, std::size_t total) {
    progress.total = total;
    progress.done = done;
  };
  auto work = std::async(std::launch::async, [&] { return lab::verify({quick, climb}, tell); });
  const lab::Verification result = wait_for(work, progress, callback);
  nb::dict told;
  told["passed"] = result.passed();
  told["bounds"] = counted(result.bounds);
  told["climbs"] = counted(result.climbs);
  told["answers"] = counted(result.answers);
  told["rates"] = counted(result.rates);
  return told;
}

}  // namespace

void bind_lab(nb::module_& m) {
  m.def("_run", run, "spec"_a, "overrides"_a, "folder"_a, "jobs"_a, "fresh"_a, "progress"_a.none(),
        nb::sig("def _run(spec: typing.Any, overrides: list[str], folder: str, jobs: int, fresh: bool, progress: "
                "collections.abc.Callable[[int, int], None] | None) -> tuple[str, str, str, int]"));
  m.def("_verify", verify, "quick"_a, "climb"_a, "progress"_a.none(),
        nb::sig("def _verify(quick: bool, climb: int, progress: collections.abc.Callable[[int, int], None] | None) -> "
                "dict[str, typing.Any]"));
}

}  // namespace tarry::python
