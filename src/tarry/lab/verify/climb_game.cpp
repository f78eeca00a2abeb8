#include "tarry/lab/verify/climb_game.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/linalg/dense_kernels.h"
#include "tarry/model/codec.h"

namespace tarry::lab {
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
  std::string out = fmt::format(R"({{"format": "tarry-replay/2", "model": {{"set": {}, "learner": {}{}}}}})", arena.set,
                                arena.learner, arena.has_loss() ? ", \"loss\": \"" + arena.loss + "\"" : "");
  out += '\n';
  Model model = arena.make();
  std::vector<Vec> gradients;
  std::vector<bool> came(game.size() + 1, false);
  Vec x(static_cast<std::size_t>(model.set().dimension()));
  const auto happens = [&](const Event& event, Round t) {
    model.apply(event);
    out += event_json(event, t) + "\n";
  };
  for (Round t = 1; t <= rounds; ++t) {
    happens(play_event(arena, game[t - 1]), t);
    model.write(x);
    gradients.push_back(game[t - 1].row);
    kernels::blend(gradients.back(), 1, x, arena.curvature);
    for (Round k : at[t]) {
      happens(answer_event(arena, game[k - 1], k, gradients[k - 1]), t);
      came[k] = !game[k - 1].given_up;
    }
  }
  for (Round k = 1; k <= rounds; ++k) {
    if (came[k]) continue;
    Turn turn = game[k - 1];
    turn.given_up = false;
    out += event_json(answer_event(arena, turn, k, gradients[k - 1]), rounds) + "\n";
  }
  return out;
}

}  // namespace tarry::lab
