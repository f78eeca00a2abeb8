#include "tarry/lab/play/game.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "tarry/base/overload.h"
#include "tarry/lab/world/choices_world.h"
#include "tarry/lab/world/logged_world.h"
#include "tarry/lab/world/raw_world.h"
#include "tarry/lab/world/roads_world.h"
#include "tarry/lab/world/table_world.h"

namespace tarry::lab {
namespace {

// Feedback on its way is the simulation's memory, and not the model's.
struct OnItsWay {
  std::size_t seat;
  Event feedback;
};

// A correction as the only label that its round ever has.
Event uncorrected(Event correction) {
  std::get<Label>(correction).revising = {};
  return correction;
}

class Game {
 public:
  Game(const Seats& seats, World& world, Delays& delays, const GameOptions& options)
      : seats_(seats), world_(world), delays_(delays), options_(options) {}

  Played play() {
    for (Round t = 1; t <= options_.rounds; ++t) {
      const std::optional<Turn> turn = world_.next();
      if (!turn) break;
      const RoundPlayed round = play(t, *turn);
      for (Round k : delays_.arriving(t)) deliver(k, t);
      if (options_.after) options_.after(round, played_);
    }
    return std::move(played_);
  }

 private:
  RoundPlayed play(Round t, const Turn& turn) {
    played_.delays.sum_outstanding += static_cast<double>(coming_.size());
    Model& model = seats_(turn.seat);
    const Model::Outcome decided = apply(model, turn.play);
    Coming coming = world_.answer(t, model, decided);
    played_.loss += coming.round.loss;
    world_.add_to(played_);
    if (!delays_.corrects() && !coming.corrections.empty())
      coming.feedback = uncorrected(coming.corrections.back().second);
    if (coming.feedback) send(t, {turn.seat, *std::move(coming.feedback)});
    if (model.revisable().any() && delays_.corrects())
      for (auto& [number, event] : coming.corrections)
        corrections_.emplace(number, OnItsWay{turn.seat, std::move(event)});
    played_.delays.most_outstanding = std::max<std::uint64_t>(played_.delays.most_outstanding, coming_.size());
    delays_.played(t, [&] { return world_.gradient(); });
    return coming.round;
  }

  // In the memory of one that has arrived, where there is one.
  void send(Round t, OnItsWay feedback) {
    if (arrived_.empty()) {
      coming_.emplace(t, std::move(feedback));
      return;
    }
    arrived_.key() = t;
    arrived_.mapped() = std::move(feedback);
    coming_.insert(std::move(arrived_));
  }

  void deliver(Round k, Round t) {
    const bool corrects = !corrections_.empty() && corrections_.contains(k);
    auto arrived = corrects ? corrections_.extract(k) : coming_.extract(k);
    if (arrived.empty()) return;  // never known, whatever the delay
    Event& feedback = arrived.mapped().feedback;
    if (auto* label = std::get_if<Label>(&feedback)) label->revising.now = delays_.time_of(k);
    apply(seats_(arrived.mapped().seat), feedback);
    if (corrects) return;
    played_.delays.add(t - k + 1);
    arrived_ = std::move(arrived);
  }

  Model::Outcome apply(Model& model, const Event& event) {
    const double before = options_.clock ? options_.clock() : 0;
    Model::Outcome outcome = options_.apply ? options_.apply(model, event) : model.apply(event);
    if (options_.clock) played_.seconds += options_.clock() - before;
    if (options_.told) options_.told(event);
    return outcome;
  }

  const Seats& seats_;
  World& world_;
  Delays& delays_;
  const GameOptions& options_;
  Played played_;
  using ByRound = std::unordered_map<Round, OnItsWay>;
  ByRound coming_, corrections_;
  ByRound::node_type arrived_;  // the last
};

}  // namespace

Played play_game(const Seats& seats, World& world, Delays& delays, const GameOptions& options) {
  return Game(seats, world, delays, options).play();
}

Played play_game(Model& model, World& world, Delays& delays, const GameOptions& options) {
  return play_game([&](std::size_t) -> Model& { return model; }, world, delays, options);
}

Played play_game(Model& model, const Stream& stream, Delays& delays, const GameOptions& options) {
  const auto world = begin(stream, model.features().takes_names(), options.only);
  return play_game(model, *world, delays, options);
}

std::unique_ptr<World> begin(const Stream& stream, bool named, const std::vector<std::string>* only) {
  using Begun = std::unique_ptr<World>;
  return std::visit(
      Overload{
          [&](const RawStream& raw) -> Begun { return std::make_unique<RawWorld>(raw, stream.dimension); },
          [&](const Table& table) -> Begun { return std::make_unique<TableWorld>(table, named, only); },
          [&](const std::shared_ptr<const Travel>& travel) -> Begun { return std::make_unique<RoadsWorld>(travel); },
          [&](const std::shared_ptr<const Logged>& logged) -> Begun {
            return std::make_unique<LoggedWorld>(*logged, Policy{}, only);
          },
          [&](const std::shared_ptr<const Choices>& choices) -> Begun {
            return std::make_unique<ChoicesWorld>(choices);
          }},
      stream.rule);
}

Stream raw_game(RawStream raw, Index dimension) {
  Stream stream;
  stream.dimension = dimension;
  stream.rule = std::move(raw);
  return stream;
}

}  // namespace tarry::lab
