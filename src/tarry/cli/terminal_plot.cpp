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
  bool empty() const { return low > high; }
};

// Dots of one character cell, the line that set the last of them, and a letter that stands there instead.
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

  // Puts the line's letter on it, as far to the right as there is room. False: other lines hide all of it.
  bool mark(int owner) {
    for (int column = columns_ - 1; column >= 0; --column)
      for (int row = 0; row < rows_; ++row) {
        Cell& cell = at(column, row);
        if (cell.owner != owner || cell.letter != 0) continue;
        cell.letter = letter_of(owner);
        return true;
      }
    return false;
  }

  Cell& at(int column, int row) { return cells_[static_cast<std::size_t>(row * columns_ + column)]; }

 private:
  int columns_, rows_;
  std::vector<Cell> cells_;
};

std::string coloured(const std::string& text, int owner, bool colour) {
  if (!colour || owner < 0) return text;
  return fmt::format("\033[{}m{}\033[0m", kColours[static_cast<std::size_t>(owner) % kColours.size()], text);
}

}  // namespace

std::string plot(const std::vector<PlotLine>& lines, const PlotOptions& options) {
  const auto scale = [&](double v) { return options.logarithmic ? std::log10(v) : v; };
  const auto shown = [&](const PlotLine& line, std::size_t i) {
    return std::isfinite(line.x[i]) && std::isfinite(line.y[i]) &&
           (!options.logarithmic || (line.x[i] > 0 && line.y[i] > 0));
  };
  Range xs, ys;
  for (const PlotLine& line : lines)
    for (std::size_t i = 0; i < line.x.size(); ++i)
      if (shown(line, i)) {
        xs.add(scale(line.x[i]));
        ys.add(scale(line.y[i]));
      }
  if (xs.empty()) return options.title + ": nothing positive to draw\n";

  Canvas canvas(options.columns, options.rows);
  const double width = 2 * options.columns - 1, height = 4 * options.rows - 1;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    bool pen_down = false;
    double px = 0, py = 0;
    for (std::size_t i = 0; i < lines[k].x.size(); ++i) {
      if (!shown(lines[k], i)) {
        pen_down = false;
        continue;
      }
      const double x = width * xs.share(scale(lines[k].x[i])), y = height * ys.share(scale(lines[k].y[i]));
      canvas.segment(pen_down ? px : x, pen_down ? py : y, x, y, static_cast<int>(k));
      pen_down = true;
      px = x;
      py = y;
    }
  }

  std::vector<bool> hidden(lines.size(), false);
  if (!options.colour)
    for (std::size_t k = 0; k < lines.size(); ++k) hidden[k] = !canvas.mark(static_cast<int>(k));

  const auto value = [&](double scaled) { return options.logarithmic ? std::pow(10, scaled) : scaled; };
  std::string out = options.title + "\n";
  for (int row = 0; row < options.rows; ++row) {
    const double share = 1 - static_cast<double>(row) / (options.rows - 1);
    const bool labelled = row % 5 == 0 || row == options.rows - 1;
    out += labelled ? fmt::format("{:>9} ┤", short_number(value(ys.low + share * (ys.high - ys.low))))
                    : fmt::format("{:>9} │", "");
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
  const std::string left = fmt::format("{:.6g}", value(xs.low)), right = fmt::format("{:.6g}", value(xs.high));
  out += fmt::format("\n{:>11}{}{:>{}}\n", "", left + " " + options.x_name, right,
                     std::max<int>(1, options.columns - static_cast<int>(left.size() + options.x_name.size()) - 1));
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const double last = lines[k].y.empty() ? std::nan("") : lines[k].y.back();
    const int owner = static_cast<int>(k);
    out += fmt::format("{:>11}{} {}  {}{}\n", "",
                       options.colour ? coloured("━━", owner, true) : std::string(1, letter_of(owner)), lines[k].name,
                       short_number(last), hidden[k] ? "  (behind the others)" : "");
  }
  return out;
}

}  // namespace tarry::cli
