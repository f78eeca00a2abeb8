#include "tarry/lab/verify/climb_game.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/lab/play/game.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/model/codec.h"

namespace tarry::lab {
std::vector<std::vector<Round>> due(const SmallGame& game, bool corrects) {
  const Round size = game.size();
  std::vector<std::vector<Round>> at(size + 1);
  const auto comes = [&](Round number, Round k, Round delay) {
    if (delay <= size - k + 1) at[k + delay - 1].push_back(number);
  };
  for (Round k = 1; k <= size; ++k) comes(k, k, game[k - 1].delay);
  for (Round k = 1; k <= size && corrects; ++k)
    if (const Move& move = game[k - 1]; move.corrected_after > 0 && !move.given_up)
      comes(size + k, k, move.corrected_delay());
  const auto order = [&](Round number) { return game[(number - 1) % size].order; };
  for (auto& rounds : at)
    std::stable_sort(rounds.begin(), rounds.end(), [&](Round a, Round b) { return order(a) < order(b); });
  return at;
}

Event play_event(const Arena& arena, const Move& move) {
  if (arena.form == Form::kFeaturesAtPlay) return Play{Covector::dense(move.row)};
  if (arena.form == Form::kShownGradients) return Play{Covector::dense(move.shown)};
  return Play{};
}

Event answer_event(const Arena& arena, const Move& move, Round round, const Vec& gradient) {
  if (move.given_up) return Expire{round};
  if (!arena.has_loss()) return Gradient{round, Covector::dense(gradient)};
  Label label{round, move.label};
  if (arena.form == Form::kFeaturesWithLabel) label.features = Covector::dense(move.row);
  return label;
}

std::optional<Turn> SmallWorld::next() {
  if (rounds_.size() == game_.size()) return std::nullopt;
  play_ = play_event(arena_, game_[rounds_.size()]);
  return Turn{play_};
}

Coming SmallWorld::answer(Round round, const Model& model, const Model::Outcome& decided) {
  const Move& move = game_[round - 1];
  KnownRound known{Vec(static_cast<std::size_t>(model.set().dimension())), move.row};
  model.write(known.x);
  const auto with = [&](double given, double& label, Vec& gradient) {
    label = model.loss()->label(given);
    const double slope = model.loss()->slope(kernels::dot(move.row, known.x), label);
    for (double& g : gradient) g *= slope;
  };
  const bool corrected = arena_.corrects && move.corrected_after > 0;
  if (corrected) with(move.corrected, known.corrected_label, known.corrected_gradient = move.row);
  if (arena_.has_loss())
    with(move.label, known.label, known.gradient);
  else
    kernels::blend(known.gradient, 1, known.x, arena_.curvature);
  rounds_.push_back(std::move(known));
  Coming coming{{.round = round}, answer_event(arena_, move, decided.round, rounds_.back().gradient)};
  if (corrected) {
    Label label{decided.round, move.corrected};
    label.revising.revise = true;
    coming.corrections.emplace_back(game_.size() + round, label);
  }
  return coming;
}

std::string log_of(const Arena& arena, const SmallGame& game, Round rounds) {
  std::string out =
      fmt::format(R"({{"format": "tarry-replay/2", "model": {{"set": {}, "learner": {}{}}}}})", arena.set,
                  arena.learner, (arena.has_loss() ? ", \"loss\": \"" + arena.loss + "\"" : "") + arena.more);
  out += '\n';
  Model model = arena.make();
  SmallWorld world(arena, game);
  std::vector<bool> came(game.size() + 1, false);
  const auto told = [&](const Event& event) {
    out += event_json(event, model.ledger().issued()) + "\n";
    if (const auto* gradient = std::get_if<Gradient>(&event)) came[gradient->round.number] = true;
    if (const auto* label = std::get_if<Label>(&event)) came[label->round.number] = true;
  };
  play_game(model, world, *arriving_at(due(game, arena.corrects)),
            {.rounds = rounds, .after = {}, .clock = {}, .told = told});
  for (Round k = 1; k <= rounds; ++k) {
    if (came[k]) continue;
    Move move = game[k - 1];
    move.given_up = false;
    out += event_json(answer_event(arena, move, k, world.rounds()[k - 1].gradient), rounds) + "\n";
  }
  return out;
}

}  // namespace tarry::lab
