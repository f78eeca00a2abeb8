#include "tarry/lab/verify/climb.h"

#include <algorithm>

namespace tarry::lab {
namespace {

struct Climber {
  SmallGame game;
  Finding worst;
  RandomMoves moves;
};

class Climb {
 public:
  Climb(const GameSpace& space, const Judge& judge, std::uint64_t games, std::uint64_t seed)
      : judge_(judge), left_(games) {
    for (std::uint64_t start = 0; start < kStarts && !ended(); ++start) {
      SmallGame game = starting_game(space, start, seed);
      const Finding worst = look(game);
      climbers_.push_back({std::move(game), worst, RandomMoves(space, seed, start + 1)});
    }
  }

  // A third of the games on the best third of the starts, the rest on the best two of those.
  Climbed run(std::uint64_t games) {
    climb_with(kStarts / 3, games / 3 / (kStarts / 3));
    climb_with(2, left_ / 2);
    climb_with(1, left_);
    sort();
    Climber& best = climbers_.front();
    best.game.resize(best.worst.rounds > 0 ? best.worst.rounds : best.game.size());
    if (best.worst.violates()) shorten(best);
    return {best.worst, best.game, played_};
  }

 private:
  bool ended() const { return left_ == 0 || found_; }

  Finding look(const SmallGame& game) {
    ++played_;
    if (left_ > 0) --left_;
    const Finding finding = judge_(game);
    found_ = found_ || finding.violates();
    return finding;
  }

  void sort() {
    std::stable_sort(climbers_.begin(), climbers_.end(),
                     [](const Climber& a, const Climber& b) { return a.worst.ratio > b.worst.ratio; });
  }

  void climb_with(std::size_t how_many, std::uint64_t steps) {
    sort();
    for (std::size_t i = 0; i < std::min(how_many, climbers_.size()); ++i)
      for (std::uint64_t step = 0; step < steps && !ended(); ++step) {
        Climber& c = climbers_[i];
        SmallGame game = c.moves.change(c.game);
        const Finding finding = look(game);
        if (finding.ratio < c.worst.ratio) continue;
        c.game = std::move(game);
        c.worst = finding;
      }
  }

  // Leaves out what the violation does not need.
  void shorten(Climber& c) {
    for (std::size_t i = 0; i < c.game.size();) {
      SmallGame game = c.game;
      game.erase(game.begin() + static_cast<std::ptrdiff_t>(i));
      const Finding finding = game.empty() ? Finding{} : look(game);
      if (!finding.violates()) {
        ++i;
        continue;
      }
      c.game = std::move(game);
      c.worst = finding;
    }
  }

  const Judge& judge_;
  std::uint64_t left_, played_ = 0;
  bool found_ = false;
  std::vector<Climber> climbers_;
};

}  // namespace

Climbed climb(const GameSpace& space, const Judge& judge, std::uint64_t games, std::uint64_t seed) {
  return Climb(space, judge, games, seed).run(games);
}

}  // namespace tarry::lab
