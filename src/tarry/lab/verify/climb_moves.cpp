// Where climbs begin, and the changes that a climb tries.
#include <algorithm>
#include <cmath>

#include "tarry/base/elementary.h"
#include "tarry/lab/verify/climb.h"
#include "tarry/linalg/norms.h"

namespace tarry::lab {
namespace {

constexpr double kTiny = 1e-165;  // its square is 0 …
constexpr double kHuge = 1e60;    // … and this one's is a number
constexpr Round kNever = 1000;    // later than any game's end

double scale_of(std::uint64_t start) {
  constexpr double kScales[] = {1, 1, kTiny, 1, kHuge, 1};
  return kScales[start % 6];
}

// Entries of −1, 0 and 1, all alike, or any.
Vec some_row(RandomSequence& draw, Index dimension, std::uint64_t kind) {
  Vec row(static_cast<std::size_t>(dimension));
  const double all = draw.uniform() < 0.5 ? -1 : 1;
  for (double& x : row) x = kind == 0 ? static_cast<double>(draw.below(3)) - 1 : kind == 1 ? all : draw.gaussian();
  return row;
}

double some_label(RandomSequence& draw, GameSpace::Labels labels) {
  if (labels == GameSpace::Labels::kNone) return 0;
  if (labels == GameSpace::Labels::kSigns) return static_cast<double>(draw.below(2));
  return draw.uniform() < 0.5 ? std::round(draw.uniform(-2, 2)) : 2 * draw.gaussian();
}

// Numbers that models take, and whose squares sums can hold.
void keep_in(const GameSpace& space, SmallGame& game) {
  const double most = space.form == Form::kGradients || space.form == Form::kShownGradients ? kHuge : 1e25;
  const auto clip = [&](double x) { return std::fabs(x) < 1e-180 ? 0 : std::clamp(x, -most, most); };
  for (Move& turn : game) {
    for (double& x : turn.row) x = space.positive ? std::clamp(std::fabs(x), 1e-3, 1e3) : clip(x);
    for (double& x : turn.shown) x = clip(x);
    turn.label = clip(turn.label);
    turn.corrected = clip(turn.corrected);
  }
}

}  // namespace

// Six scales × four kinds of rows and delays: prompt, drawn, late for one class of labels, all at the end or never.
SmallGame starting_game(const GameSpace& space, std::uint64_t start, std::uint64_t seed) {
  constexpr Round kLengths[] = {4, 12, 50, 25, 8, 3};
  RandomSequence draw(seed, 1000 + start);
  const Round rounds = std::min(space.most_rounds, kLengths[start % 6]);
  const std::uint64_t kind = start / 6;
  const Vec lean = some_row(draw, space.dimension, 2);
  SmallGame game;
  for (Round t = 1; t <= rounds; ++t) {
    Move turn;
    turn.row = some_row(draw, space.dimension, draw.below(3));
    for (std::size_t i = 0; i < turn.row.size(); ++i) turn.row[i] += kind == 3 ? lean[i] : 0;
    // A scale that changes within the game.
    const double scale = scale_of(start) * (start % 6 == 5 ? tarry::pow(10, 3 * draw.gaussian()) : 1);
    for (double& x : turn.row) x = space.positive ? tarry::exp(x) : x * scale;
    if (space.form == Form::kShownGradients) turn.shown = some_row(draw, space.dimension, 0);
    turn.label = some_label(draw, space.labels);
    turn.order = draw.uniform();
    const double size = space.form == Form::kGradients ? turn.row[0] : turn.label;
    if (kind == 1) turn.delay = 1 + draw.below(std::max<Round>(2, rounds / 2));
    if (kind == 2) turn.delay = size > 0 ? 1 + rounds / 3 : 1;
    if (kind == 3) turn.delay = draw.uniform() < 0.3 ? kNever : rounds - t + 1;
    if (kind == 1 && draw.uniform() < 0.1) turn.given_up = true;
    if (space.corrects && draw.uniform() < 0.2) {
      turn.corrected_after = 1 + draw.below(std::max<Round>(2, rounds / 2));
      turn.corrected = some_label(draw, space.labels);
    }
    game.push_back(std::move(turn));
  }
  keep_in(space, game);
  return game;
}

RandomMoves::RandomMoves(const GameSpace& space, std::uint64_t seed, std::uint64_t stream)
    : space_(space), draw_(seed, stream) {}

SmallGame RandomMoves::change(SmallGame game) {
  do change_once(game);
  while (draw_.uniform() < 0.4);
  keep_in(space_, game);
  return game;
}

void RandomMoves::change_once(SmallGame& game) {
  const double which = draw_.uniform();
  if (space_.corrects && draw_.uniform() < 0.15)
    change_correction(game[any(game)], game.size());
  else if (which < 0.4)
    change_row(game[any(game)].row, game);
  else if (which < 0.65)
    change_time(game);
  else if (which < 0.8 && space_.form == Form::kShownGradients)
    change_row(game[any(game)].shown, game);
  else if (which < 0.8 && space_.labels != GameSpace::Labels::kNone && space_.form != Form::kGradients)
    change_label(game[any(game)]);
  else
    change_whole(game);
}

void RandomMoves::change_row(Vec& row, const SmallGame& game) {
  double largest = 0;
  for (const Move& turn : game) largest = std::max(largest, norm2(turn.row));
  const auto factor = [&] {
    constexpr double kFactors[] = {-1, 0, 0.5, 2, 0.1, 10, 0.9, 1.1};
    return kFactors[draw_.below(8)];
  };
  double& one = row[static_cast<std::size_t>(draw_.below(row.size()))];
  switch (draw_.below(7)) {
    case 0:
      one *= factor();
      break;
    case 1:
      one = largest * (static_cast<double>(draw_.below(3)) - 1);
      break;
    case 2:
      one += 0.2 * largest * draw_.gaussian();
      break;
    case 3: {
      const double by = factor();
      for (double& x : row) x *= by;
      break;
    }
    case 4:  // all entries alike
      row.assign(row.size(), one);
      break;
    case 5:  // as long as the longest
      if (const double norm = norm2(row); norm > 0)
        for (double& x : row) x *= largest / norm;
      break;
    default: {
      const Vec& other = game[any(game)].row;
      const double by = draw_.uniform() < 0.5 ? -1 : 1;
      Vec copy = other;
      for (double& x : copy) x *= by;
      row = copy;
    }
  }
}

Round RandomMoves::some_delay(std::size_t rounds) {
  const double which = draw_.uniform();
  if (which < 0.3) return 1;
  if (which < 0.55) return kNever;
  return 1 + draw_.below(rounds);
}

void RandomMoves::change_time(SmallGame& game) {
  const std::size_t at = any(game);
  Move& turn = game[at];
  switch (draw_.below(7)) {
    case 0:
      turn.delay = some_delay(game.size());
      break;
    case 1:
      turn.delay += 1;
      break;
    case 2:
      turn.delay = std::max<Round>(1, turn.delay - 1);
      break;
    case 3:
      turn.given_up = !turn.given_up;
      break;
    case 4:
      turn.order = draw_.uniform();
      break;
    case 5: {  // all from here on together at one moment, or never
      const std::size_t end = at + draw_.below(game.size() - at) + 1;
      const bool never = draw_.uniform() < 0.3;
      for (std::size_t k = at; k < end; ++k) game[k].delay = never ? kNever : end - k;
      break;
    }
    default: {  // one class of labels, or one side of an axis, comes late
      const Round delay = some_delay(game.size());
      const double label = turn.label;
      for (Move& other : game)
        if (space_.form == Form::kGradients || space_.form == Form::kShownGradients ? other.row[0] > 0
                                                                                    : other.label >= label)
          other.delay = delay;
    }
  }
}

double RandomMoves::other_label(double label) {
  if (space_.labels == GameSpace::Labels::kSigns) return 1 - label;
  constexpr double kFactors[] = {-1, 0, 0.5, 2, 10};
  return draw_.uniform() < 0.5 ? label * kFactors[draw_.below(5)] : label + draw_.gaussian();
}

void RandomMoves::change_label(Move& turn) { turn.label = other_label(turn.label); }

// When a label is corrected, to what, or that it is not.
void RandomMoves::change_correction(Move& turn, std::size_t rounds) {
  const std::uint64_t which = draw_.below(3);
  if (which == 0) turn.corrected_after = 0;
  if (which == 1) turn.corrected_after = 1 + draw_.below(rounds);
  if (which == 2) turn.corrected = other_label(turn.corrected);
}

void RandomMoves::change_whole(SmallGame& game) {
  const std::size_t at = any(game), to = any(game);
  const auto place = [&](std::size_t i) { return game.begin() + static_cast<std::ptrdiff_t>(i); };
  switch (draw_.below(5)) {
    case 0:
      std::swap(game[at], game[to]);
      break;
    case 1:
      if (game.size() > 1) game.erase(place(at));
      break;
    case 2:
    case 3: {  // a turn again, once or often
      const Move copy = game[at];
      const std::uint64_t times = draw_.uniform() < 0.5 ? 1 : 1 + draw_.below(8);
      for (std::uint64_t i = 0; i < times && game.size() < space_.most_rounds; ++i) game.insert(place(to), copy);
      break;
    }
    default: {  // another scale for all, or from one round on
      constexpr double kFactors[] = {0.1, 10, 0.5, 2, 1e-20, 1e20, 1e-165};
      const double by = kFactors[draw_.below(7)];
      for (std::size_t k = draw_.uniform() < 0.5 ? 0 : at; k < game.size(); ++k)
        for (double& x : game[k].row) x *= by;
    }
  }
}

}  // namespace tarry::lab
