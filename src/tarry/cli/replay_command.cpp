#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/model/replay.h"

namespace tarry::cli {
namespace {

constexpr std::size_t kShownCoordinates = 8;
constexpr Round kShownRounds = 5;
constexpr double kFeasible = 1e-9;

void append_decision(std::string& line, const Replay::Played& played) {
  fmt::format_to(std::back_inserter(line), "{{\"round\": {}, \"decision\": ", played.round);
  spec::append_json(line, played.decision);
  line += "}\n";
}

// A readable account instead of the decisions: the game, a few rounds, and what was late.
class Summary {
 public:
  void add(const Replay& replay, const Replay::Played& played) {
    outside_ += replay.model().set().contains(played.decision, kFeasible) ? 0 : 1;
    last_ = row(played);
    if (played.round <= kShownRounds) first_ += last_;
  }

  std::string text(const Replay& replay) const {
    const Ledger& ledger = replay.model().ledger();
    const DelayCounts& delays = ledger.delays();
    std::string out;
    const auto line = [&](std::string_view name, const std::string& value) {
      fmt::format_to(std::back_inserter(out), "{:<12} {}\n", name, value);
    };
    line("set", spec::to_json(*replay.header().find("set")));
    line("learner", spec::to_json(*replay.header().find("learner")));
    line("rounds", fmt::format("{} played, {} answered, {} still outstanding", ledger.issued(), ledger.settled(),
                               ledger.outstanding()));
    line("delays", fmt::format("{:.2f} rounds in the mean, {} at most; up to {} rounds outstanding at once",
                               delays.mean(), delays.largest, delays.most_outstanding));
    line("feasible", outside_ == 0 ? fmt::format("all {} decisions lie in the set", ledger.issued())
                                   : fmt::format("{} decisions lie OUTSIDE the set", outside_));
    out += fmt::format("\n{:>7}   decision\n", "round") + first_;
    if (ledger.issued() > kShownRounds + 1) out += fmt::format("{:>7}\n", "...");
    if (ledger.issued() > kShownRounds) out += last_;
    return out;
  }

 private:
  static std::string row(const Replay::Played& played) {
    std::string text = fmt::format("{:>7}  ", played.round);
    const std::size_t shown = std::min(kShownCoordinates, played.decision.size());
    for (double x : played.decision.first(shown)) fmt::format_to(std::back_inserter(text), " {:>9.5f}", x);
    if (played.decision.size() > shown) text += fmt::format("  (+{} more)", played.decision.size() - shown);
    return text + "\n";
  }

  std::string first_, last_;
  std::uint64_t outside_ = 0;
};

}  // namespace

void replay(const ReplayOptions& options, Output& out) {
  Input input(options.log, [&] { out.flush(); });
  Replay game;
  Summary summary;
  std::string_view line;
  while (input.lines().next(line)) {
    const auto played = game.line(line);
    if (!played) continue;
    if (options.summary) {
      summary.add(game, *played);
    } else {
      append_decision(out.buffer(), *played);
      out.written();
    }
  }
  game.finish();
  if (options.summary) out.print(summary.text(game));
}

}  // namespace tarry::cli
