#include "tarry/cli/terminal_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tarry/cli/table.h"

namespace tarry::cli {
namespace {

// ANSI colours that differ in brightness too.
constexpr std::array<int, 6> kColours = {36, 33, 35, 32, 34, 31};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double x) {
    low = std::min(low, x);
    high = std::max(high, x);
  }
  double share(double x) const { return high > low ? (x - low) / (high - low) : 0.5; }
  double size() const { return high - low; }
  bool empty() const { return low > high; }
};

// Dots of one character cell, the line that set the last of them, and a letter that is there instead.
struct Cell {
  unsigned dots = 0;
  int owner = -1;
  char letter = 0;
};

std::string braille(unsigned dots) {  // U+2800 + dots, as UTF-8
  const unsigned code = 0x2800 + dots;
  return {static_cast<char>(0xE0 | code >> 12), static_cast<char>(0x80 | (code >> 6 & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

// 16,384 or 0.05; what is far from 1 with its power of ten.
std::string tick_text(double value) {
  const double size = std::fabs(value);
  if (size != 0 && (size >= 1e7 || size < 1e-4)) return fmt::format("{:.3g}", value);
  std::string text = fmt::format("{:.6g}", value);
  const auto end = std::find(text.begin(), text.end(), '.');
  const bool negative = text.front() == '-';
  for (auto at = end - text.begin() - 3; at > (negative ? 1 : 0); at -= 3)
    text.insert(static_cast<std::size_t>(at), ",");
  return text;
}

char letter_of(int owner) { return static_cast<char>('A' + owner % 26); }

class Canvas {
 public:
  Canvas(int columns, int rows) : columns_(columns), rows_(rows), cells_(static_cast<std::size_t>(columns * rows)) {}

  void dot(int x, int y, int owner) {  // y from the bottom, 4 a row; x 2 a column
    if (x < 0 || y < 0 || x >= 2 * columns_ || y >= 4 * rows_) return;
    static constexpr unsigned kBits[4][2] = {{0x40, 0x80}, {0x04, 0x20}, {0x02, 0x10}, {0x01, 0x08}};
    Cell& cell = at(x / 2, rows_ - 1 - y / 4);
    cell.dots |= kBits[y % 4][x % 2];
    cell.owner = owner;
  }

  void segment(double x0, double y0, double x1, double y1, int owner) {
    const int steps = static_cast<int>(std::max(std::fabs(x1 - x0), std::fabs(y1 - y0))) + 1;
    for (int i = 0; i <= steps; ++i) {
      const double s = static_cast<double>(i) / steps;
      dot(static_cast<int>(std::lround(x0 + s * (x1 - x0))), static_cast<int>(std::lround(y0 + s * (y1 - y0))), owner);
    }
  }

  // Puts the line's letter on it here and there, each line's in other columns, and at least once where it can be seen.
  // False: other lines hide all of it.
  bool mark(int owner) {
    constexpr int kApart = 18, kShift = 5;
    bool marked = false;
    for (int column = columns_ - 1 - owner * kShift % kApart; column >= 0; column -= kApart)
      marked = mark_in(column, owner) || marked;
    for (int column = columns_ - 1; column >= 0 && !marked; --column) marked = mark_in(column, owner);
    return marked;
  }

  bool shows(int owner) const {
    return std::any_of(cells_.begin(), cells_.end(), [&](const Cell& cell) { return cell.owner == owner; });
  }

  Cell& at(int column, int row) { return cells_[static_cast<std::size_t>(row * columns_ + column)]; }

 private:
  bool mark_in(int column, int owner) {
    for (int row = 0; row < rows_; ++row) {
      Cell& cell = at(column, row);
      if (cell.owner != owner || cell.letter != 0) continue;
      cell.letter = letter_of(owner);
      return true;
    }
    return false;
  }

  int columns_, rows_;
  std::vector<Cell> cells_;
};

std::string coloured(const std::string& text, int owner, bool colour) {
  if (!colour || owner < 0) return text;
  return fmt::format("\033[{}m{}\033[0m", kColours[static_cast<std::size_t>(owner) % kColours.size()], text);
}

// Where points are, in the units of the axes.
class Paper {
 public:
  Paper(const std::vector<PlotLine>& lines, Axes axes) : axes_(axes) {
    Range all;
    for (const PlotLine& line : lines)
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        if (!shown(line, i)) continue;
        xs.add(x(line.x[i]));
        all.add(y(line.y[i]));
        if (axes == Axes::kLog || line.x[i] >= settled_from(line)) ys.add(y(line.y[i]));
      }
    constexpr double kWaste = 1.35;  // times as high a paper is what the first rounds must cost to be left out
    if (ys.empty() || ys.size() <= 0 || all.size() <= kWaste * ys.size()) ys = all;
  }

  bool shown(const PlotLine& line, std::size_t i) const {
    return std::isfinite(line.x[i]) && std::isfinite(line.y[i]) && (axes_ != Axes::kLog || line.x[i] > 0) &&
           (axes_ == Axes::kLinear || line.y[i] > 0);
  }
  double x(double value) const { return axes_ == Axes::kLog ? std::log10(value) : value; }
  double y(double value) const { return axes_ == Axes::kLinear ? value : std::log10(value); }
  double x_value(double place) const { return axes_ == Axes::kLog ? std::pow(10, place) : place; }

  // 1, 2 and 5 times powers of ten that are on the paper, or multiples of one of these.
  std::vector<double> ticks(int most) const { return axes_ == Axes::kLinear ? even_ticks(most) : log_ticks(); }

  Range xs, ys;

 private:
  static double settled_from(const PlotLine& line) {
    constexpr std::size_t kPoints = 10;
    constexpr double kShare = 0.02, kMost = 0.2;  // of the rounds
    const double tenth = line.x.size() > kPoints ? line.x[kPoints] : 0;
    return std::max(kShare * line.x.back(), std::min(tenth, kMost * line.x.back()));
  }

  std::vector<double> even_ticks(int most) const {
    std::vector<double> found;
    if (ys.size() <= 0) return {ys.low};
    double step = std::pow(10, std::floor(std::log10(ys.size() / most)));
    for (const double factor : {2.0, 2.5, 2.0})
      if (ys.size() / step > most) step *= factor;  // 2, 5, 10
    for (double k = std::ceil(ys.low / step - 1e-9); k * step <= ys.high + 1e-9 * step; ++k) found.push_back(k * step);
    return found;
  }

  std::vector<double> log_ticks() const {
    std::vector<double> found;
    const auto collect = [&](std::initializer_list<double> factors) {
      found.clear();
      for (double k = std::floor(ys.low); k <= std::ceil(ys.high); ++k)
        for (const double factor : factors)
          if (const double at = k + std::log10(factor); at >= ys.low - 1e-9 && at <= ys.high + 1e-9)
            found.push_back(std::pow(10, at));
    };
    collect({1});
    if (found.size() < 4) collect({1, 2, 5});
    if (found.size() < 2) found = {std::pow(10, ys.low), std::pow(10, ys.high)};
    return found;
  }

  Axes axes_;
};

// Whether it is a power of ten, which is labelled before others.
bool is_power(double value) {
  const double power = std::log10(std::fabs(value));
  return std::fabs(power - std::round(power)) < 1e-9;
}

// The row of each label, with a row free between two of them. A tick that has no room goes without.
std::vector<std::string> row_labels(const Paper& paper, int rows) {
  std::vector<std::string> labels(static_cast<std::size_t>(rows));
  std::vector<double> ticks = paper.ticks(rows / 3);
  std::stable_partition(ticks.begin(), ticks.end(), is_power);
  for (const double tick : ticks) {
    const int row = static_cast<int>(std::lround((1 - paper.ys.share(paper.y(tick))) * (rows - 1)));
    bool room = row >= 0 && row < rows;
    for (int near = std::max(0, row - 1); near <= std::min(rows - 1, row + 1); ++near)
      room = room && labels[static_cast<std::size_t>(near)].empty();
    if (room) labels[static_cast<std::size_t>(row)] = tick_text(tick);
  }
  return labels;
}

void draw(Canvas& canvas, const PlotLine& line, int owner, const Paper& paper, double width, double height) {
  bool pen_down = false;
  double px = 0, py = 0;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!paper.shown(line, i)) {
      pen_down = false;
      continue;
    }
    const double x = width * paper.xs.share(paper.x(line.x[i]));
    const double y = std::clamp(height * paper.ys.share(paper.y(line.y[i])), -height, 2 * height);
    canvas.segment(pen_down ? px : x, pen_down ? py : y, x, y, owner);
    pen_down = true;
    px = x;
    py = y;
  }
}

std::string legend_line(const PlotLine& line, int owner, bool colour, bool hidden) {
  const double last = line.y.empty() ? std::nan("") : line.y.back();
  return fmt::format("{:>11}{} {}  {}{}\n", "", colour ? coloured("━━", owner, true) : std::string(1, letter_of(owner)),
                     line.name, short_number(last), hidden ? "  (behind the others)" : "");
}

}  // namespace

std::string plot(const std::vector<PlotLine>& lines, const PlotOptions& options) {
  const Paper paper(lines, options.axes);
  if (paper.xs.empty()) return options.title + ": nothing positive to draw\n";
  Canvas canvas(options.columns, options.rows);
  std::vector<bool> hidden(lines.size(), false);
  for (std::size_t k = 0; k < lines.size(); ++k)
    draw(canvas, lines[k], static_cast<int>(k), paper, 2 * options.columns - 1, 4 * options.rows - 1);
  for (std::size_t k = 0; k < lines.size(); ++k)
    hidden[k] = options.colour ? !canvas.shows(static_cast<int>(k)) : !canvas.mark(static_cast<int>(k));

  std::string out = options.title + "\n";
  const std::vector<std::string> labels = row_labels(paper, options.rows);
  for (int row = 0; row < options.rows; ++row) {
    const std::string& label = labels[static_cast<std::size_t>(row)];
    out += fmt::format("{:>9} {}", label, label.empty() ? "│" : "┤");
    for (int column = 0; column < options.columns; ++column) {
      const Cell& cell = canvas.at(column, row);
      if (cell.letter != 0)
        out += cell.letter;
      else
        out += cell.dots == 0 ? " " : coloured(braille(cell.dots), cell.owner, options.colour);
    }
    out += '\n';
  }
  out += fmt::format("{:>9} └", "");
  for (int column = 0; column < options.columns; ++column) out += "─";
  const std::string left = tick_text(paper.x_value(paper.xs.low)), right = tick_text(paper.x_value(paper.xs.high));
  out += fmt::format("\n{:>11}{}{:>{}}\n", "", left + " " + options.x_name, right,
                     std::max<int>(1, options.columns - static_cast<int>(left.size() + options.x_name.size()) - 1));
  for (std::size_t k = 0; k < lines.size(); ++k)
    out += legend_line(lines[k], static_cast<int>(k), options.colour, hidden[k]);
  return out;
}

}  // namespace tarry::cli
