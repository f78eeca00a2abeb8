// An adversary that climbs: a coordinate search over whole small games for the one whose regret comes nearest to what
// was promised, or passes it.
#pragma once

#include "tarry/base/random.h"
#include "tarry/lab/verify/climb_judge.h"

namespace tarry::lab {

// Which games there are.
struct GameSpace {
  Index dimension = 1;
  Form form = Form::kGradients;
  enum class Labels : std::uint8_t { kReal, kSigns, kNone } labels = Labels::kReal;
  bool positive = false;  // rows: price relatives
  Round most_rounds = 50;
  bool corrects = false;  // labels are corrected, too
};

using Judge = std::function<Finding(const SmallGame&)>;

struct Climbed {
  Finding worst;
  SmallGame game;
  std::uint64_t games = 0;  // how many were played
};

// Plays about `games` games; ends early at a violation, whose game is then made as short as it goes. The same arguments
// give the same result.
Climbed climb(const GameSpace& space, const Judge& judge, std::uint64_t games, std::uint64_t seed);

// Where climbs begin, the start-th of kStarts, and one random change of a game (climb_moves.cpp).
constexpr std::uint64_t kStarts = 24;
SmallGame starting_game(const GameSpace& space, std::uint64_t start, std::uint64_t seed);
class RandomMoves {
 public:
  RandomMoves(const GameSpace& space, std::uint64_t seed, std::uint64_t stream);
  SmallGame change(SmallGame game);

 private:
  void change_once(SmallGame& game);
  void change_row(Vec& row, const SmallGame& game);
  void change_time(SmallGame& game);
  void change_label(Move& turn);
  void change_correction(Move& turn, std::size_t rounds);
  double other_label(double label);
  void change_whole(SmallGame& game);
  std::size_t any(const SmallGame& game) { return static_cast<std::size_t>(draw_.below(game.size())); }
  Round some_delay(std::size_t rounds);

  GameSpace space_;
  RandomSequence draw_;
};

}  // namespace tarry::lab
