// A line chart for the terminal, in braille dots: two by four of them a character.
#pragma once

#include <string>
#include <vector>

namespace tarry::cli {

struct PlotLine {
  std::string name;
  std::vector<double> x, y;
};

struct PlotOptions {
  std::string title;
  std::string x_name;
  int columns = 64;  // of characters, without the axis
  int rows = 16;
  bool logarithmic = true;  // both axes; points that are not positive are left out
  bool colour = false;      // false: a letter on each line tells which it is
};

std::string plot(const std::vector<PlotLine>& lines, const PlotOptions& options);

}  // namespace tarry::cli
