// A line chart for the terminal, in braille dots: two by four of them a character.
#pragma once

#include <string>
#include <vector>

namespace tarry::cli {

struct PlotLine {
  std::string name;
  std::vector<double> x, y;
};

enum class Axes {
  kLinear,
  kLogY,  // logarithmic values
  kLog,   // and rounds
};

struct PlotOptions {
  std::string title;
  std::string x_name;
  int columns = 64;  // of characters, without the axis
  int rows = 16;
  Axes axes = Axes::kLinear;  // on logarithmic ones, points that are not positive are left out
  bool colour = false;        // false: letters on each line tell which it is
};

// Over plain rounds, what happens in the first of them may leave the paper where it would flatten all the rest.
std::string plot(const std::vector<PlotLine>& lines, const PlotOptions& options);

}  // namespace tarry::cli
