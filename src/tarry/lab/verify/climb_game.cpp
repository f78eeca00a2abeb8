#include "tarry/lab/verify/climb_game.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/linalg/dense_kernels.h"
#include "tarry/spec/value.h"

namespace tarry::lab {
namespace {

std::string numbers(const Vec& x) {
  std::string out = "[";
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (i > 0) out += ", ";
    spec::append_json(out, x[i]);
  }
  return out + "]";
}

std::string play_line(const Arena& arena, const Turn& turn, Round t) {
  if (arena.form == Form::kFeaturesAtPlay)
    return fmt::format("{{\"play\": {}, \"features\": {}}}\n", t, numbers(turn.row));
  if (arena.form == Form::kShownGradients)
    return fmt::format("{{\"play\": {}, \"features\": {}}}\n", t, numbers(turn.shown));
  return fmt::format("{{\"play\": {}}}\n", t);
}

std::string answer_line(const Arena& arena, const Turn& turn, Round k, const Vec& gradient) {
  if (!arena.has_loss()) return fmt::format("{{\"receive\": {}, \"gradient\": {}}}\n", k, numbers(gradient));
  std::string label;
  spec::append_json(label, turn.label);
  if (arena.form == Form::kFeaturesAtPlay) return fmt::format("{{\"receive\": {}, \"label\": {}}}\n", k, label);
  return fmt::format("{{\"receive\": {}, \"label\": {}, \"features\": {}}}\n", k, label, numbers(turn.row));
}

}  // namespace

std::vector<std::vector<Round>> due(const SmallGame& game) {
  std::vector<std::vector<Round>> at(game.size() + 1);
  for (Round k = 1; k <= game.size(); ++k) {
    const Round delay = game[k - 1].delay;
    if (delay <= game.size() - k + 1) at[k + delay - 1].push_back(k);
  }
  for (auto& rounds : at)
    std::stable_sort(rounds.begin(), rounds.end(),
                     [&](Round a, Round b) { return game[a - 1].order < game[b - 1].order; });
  return at;
}

Event play_event(const Arena& arena, const Turn& turn) {
  if (arena.form == Form::kFeaturesAtPlay) return Play{Covector::dense(turn.row)};
  if (arena.form == Form::kShownGradients) return Play{Covector::dense(turn.shown)};
  return Play{};
}

Event answer_event(const Arena& arena, const Turn& turn, Round round, const Vec& gradient) {
  if (turn.given_up) return Expire{round};
  if (!arena.has_loss()) return Gradient{round, Covector::dense(gradient)};
  Label label{round, turn.label};
  if (arena.form == Form::kFeaturesWithLabel) label.features = Covector::dense(turn.row);
  return label;
}

std::string log_of(const Arena& arena, const SmallGame& game, Round rounds) {
  const auto at = due(game);
  bool replays = arena.form == Form::kGradients;
  for (Round t = 1; t <= rounds; ++t)
    for (Round k : at[t]) replays = replays && !game[k - 1].given_up;
  std::string out = fmt::format("{{\"format\": \"{}\", \"set\": {}, \"learner\": {}{}}}\n",
                                replays ? "tarry-replay/1" : "tarry-game/1", arena.set, arena.learner,
                                arena.has_loss() ? ", \"loss\": \"" + arena.loss + "\"" : "");
  Model model = arena.make();
  std::vector<Vec> gradients;
  std::vector<bool> came(game.size() + 1, false);
  Vec x(static_cast<std::size_t>(model.set().dimension()));
  for (Round t = 1; t <= rounds; ++t) {
    model.apply(play_event(arena, game[t - 1]));
    model.write(x);
    gradients.push_back(game[t - 1].row);
    kernels::blend(gradients.back(), 1, x, arena.curvature);
    out += play_line(arena, game[t - 1], t);
    for (Round k : at[t]) {
      const Turn& turn = game[k - 1];
      model.apply(answer_event(arena, turn, k, gradients[k - 1]));
      came[k] = !turn.given_up;
      out += turn.given_up ? fmt::format("{{\"expire\": {}}}\n", k) : answer_line(arena, turn, k, gradients[k - 1]);
    }
  }
  for (Round k = 1; k <= rounds; ++k)
    if (!came[k]) out += answer_line(arena, game[k - 1], k, gradients[k - 1]);
  return out;
}

}  // namespace tarry::lab
