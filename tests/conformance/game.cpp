#include "conformance/game.h"

#include <algorithm>

#include "conformance/sampling.h"

namespace tarry::conformance {
namespace {

GameGradient random_gradient(const GameShape& shape, RandomSequence& random) {
  // One after the other: compilers draw a call's arguments in different orders.
  const double size = random.uniform(0, shape.gradient_bound);
  GameGradient g{scaled(random_unit(random, shape.dimension), size), {}, {}};
  const double kind = random.uniform();
  if (kind >= shape.sparse) return g;
  if (kind < shape.sparse / 8) return {Vec(g.dense.size(), 0.0), {}, {}};
  for (double& gi : g.dense)
    if (random.uniform() < 0.5) gi = 0;
  g.by_index();
  return g;
}

}  // namespace

void GameGradient::by_index() {
  indices.clear();
  values.clear();
  for (std::size_t i = 0; i < dense.size(); ++i) {
    if (dense[i] == 0) continue;
    indices.push_back(static_cast<Index>(i));
    values.push_back(dense[i]);
  }
}

Game random_game(const GameShape& shape, RandomSequence& random) {
  Game game;
  std::map<Round, std::vector<GameEvent>> due;
  for (Round t = 1; t <= shape.rounds; ++t) {
    game.events.push_back({GameEvent::Kind::kPlay, t});
    game.gradients.push_back(random_gradient(shape, random));
    const Round when = t + random.below(shape.largest_delay);
    const double fate = random.uniform();
    if (fate >= shape.lost) due[when].push_back({GameEvent::Kind::kReceive, t});
    if (fate < shape.lost / 2) due[when].push_back({GameEvent::Kind::kAbandon, t});
    std::vector<GameEvent> arrived = std::move(due[t]);
    if (shape.shuffled)
      for (std::size_t i = arrived.size(); i > 1; --i) std::swap(arrived[i - 1], arrived[random.below(i)]);
    game.events.insert(game.events.end(), arrived.begin(), arrived.end());
  }
  return game;
}

Game undelayed_game(Index dimension, Round rounds, RandomSequence& random) {
  return random_game({.dimension = dimension, .rounds = rounds, .largest_delay = 1, .shuffled = false, .lost = 0},
                     random);
}

std::optional<Vec> Player::apply(const Game& game, const GameEvent& event) {
  switch (event.kind) {
    case GameEvent::Kind::kPlay:
      learner_.play(event.round, nullptr, memos_[event.round]);
      learner_.write(x_);
      return x_;
    case GameEvent::Kind::kReceive:
      learner_.receive(event.round, {.gradient = game.gradient(event.round).covector()}, memos_.at(event.round));
      break;
    case GameEvent::Kind::kAbandon:
      learner_.abandon(event.round, memos_.at(event.round));
      break;
  }
  memos_.erase(event.round);
  return std::nullopt;
}

std::vector<Vec> Player::play_all(const Game& game) {
  std::vector<Vec> decisions;
  for (const GameEvent& event : game.events)
    if (auto x = apply(game, event)) decisions.push_back(std::move(*x));
  return decisions;
}

}  // namespace tarry::conformance
