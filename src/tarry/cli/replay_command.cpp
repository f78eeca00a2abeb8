#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/model/replay.h"
#include "tarry/model/snapshot_file.h"

namespace tarry::cli {
namespace {

constexpr std::size_t kShownCoordinates = 8;
constexpr Round kShownRounds = 5;
constexpr double kFeasible = 1e-9;

// A readable account instead of the decisions: the game, a few rounds, and what was late.
class Summary {
 public:
  // After a play.
  void add(const Model& model) {
    const Vec decision = model.decision();
    outside_ += model.set().contains(decision, kFeasible) ? 0 : 1;
    last_ = row(model.ledger().issued(), decision);
    if (model.ledger().issued() <= kShownRounds) first_ += last_;
  }

  std::string text(const Replay& replay) const {
    const Ledger& ledger = replay.model().ledger();
    const DelayCounts& delays = ledger.delays();
    std::string out;
    const auto line = [&](std::string_view name, const std::string& value) {
      fmt::format_to(std::back_inserter(out), "{:<12} {}\n", name, value);
    };
    const spec::Value spec = spec::parse_json(replay.model().spec());
    line("set", spec::to_json(*spec.find("set")));
    line("learner", spec::to_json(*spec.find("learner")));
    line("rounds", fmt::format("{} played, {} answered, {} still outstanding", ledger.issued(), ledger.settled(),
                               ledger.outstanding()));
    line("delays", fmt::format("{:.2f} rounds on average, {} at most; up to {} rounds outstanding at once",
                               delays.mean(), delays.largest, delays.most_outstanding));
    line("feasible", outside_ == 0 ? fmt::format("all {} decisions lie in the set", ledger.issued())
                                   : fmt::format("{} decisions lie OUTSIDE the set", outside_));
    out += fmt::format("\n{:>7}   decision\n", "round") + first_;
    if (ledger.issued() > kShownRounds + 1) out += fmt::format("{:>7}\n", "...");
    if (ledger.issued() > kShownRounds) out += last_;
    return out;
  }

 private:
  static std::string row(Round round, std::span<const double> decision) {
    std::string text = fmt::format("{:>7}  ", round);
    const std::size_t shown = std::min(kShownCoordinates, decision.size());
    for (double x : decision.first(shown)) fmt::format_to(std::back_inserter(text), " {:>9.5f}", x);
    if (decision.size() > shown) text += fmt::format("  (+{} more)", decision.size() - shown);
    return text + "\n";
  }

  std::string first_, last_;
  std::uint64_t outside_ = 0;
};

}  // namespace

void replay(const ReplayOptions& options, Output& out) {
  std::optional<SnapshotFile> state;
  if (!options.load.empty()) state.emplace(options.load);
  Input input(options.log, [&] { out.flush(); });
  Replay game = state ? Replay(state->bytes()) : Replay();
  Summary summary;
  std::string_view line;
  Round rounds = 0;
  while (input.lines().next(line)) {
    const std::string reply = game.line(line);
    if (options.summary) {
      if (game.started() && game.model().ledger().issued() > std::exchange(rounds, game.model().ledger().issued()))
        summary.add(game.model());
    } else if (!reply.empty()) {
      out.buffer() += reply + "\n";
      out.written();
    }
  }
  game.finish();
  if (!options.save.empty()) save_snapshot(game.model(), options.save, game.model().events());
  if (options.summary) out.print(summary.text(game));
  if (options.hash) out.print(game.last_line() + "\n");
}

}  // namespace tarry::cli
