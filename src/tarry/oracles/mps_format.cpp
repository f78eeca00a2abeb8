#include "tarry/oracles/mps_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "tarry/base/error.h"

namespace tarry::oracles {
namespace {

constexpr double kInfinite = 1e30;  // a bound of this size is none

std::vector<std::string> fields_of(std::string_view line) {
  std::vector<std::string> fields;
  while (true) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return fields;
    line.remove_prefix(begin);
    const std::size_t length = std::min(line.size(), line.find_first_of(" \t\r"));
    fields.emplace_back(line.substr(0, length));
    line.remove_prefix(length);
  }
}

class MpsReader {
 public:
  explicit MpsReader(std::string name) : name_(std::move(name)) {}

  LinearProgram read(std::string_view text) {
    while (!text.empty() && section_ != "ENDATA") {
      const std::size_t length = std::min(text.size(), text.find('\n'));
      const std::string_view line = text.substr(0, length);
      text.remove_prefix(std::min(text.size(), length + 1));
      ++line_;
      const auto fields = fields_of(line);
      if (fields.empty() || line.front() == '*') continue;
      if (line.front() != ' ' && line.front() != '\t')
        open(fields.front());
      else
        entry(fields);
    }
    if (section_ != "ENDATA") fail("ENDATA wanted (the end of the file came)");
    for (const auto& [row, ranged] : ranges_) widen(static_cast<std::size_t>(row), ranged);
    return std::move(program_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, Code code = Code::kBadInput) const {
    throw Error(code, fmt::format("{}: line {}: {}", name_, line_, what));
  }
  [[noreturn]] void fail_integers() const {
    fail("integer variables, and only linear programs can be a set", Code::kUnsupported);
  }

  void open(const std::string& section) {
    static const std::set<std::string> kSections = {"NAME", "OBJSENSE", "ROWS",   "COLUMNS",
                                                    "RHS",  "RANGES",   "BOUNDS", "ENDATA"};
    if (!kSections.contains(section)) fail(fmt::format("unknown section {}", section));
    section_ = section;
  }

  void entry(const std::vector<std::string>& fields) {
    if (section_ == "ROWS") return row(fields);
    if (section_ == "COLUMNS") return column(fields);
    if (section_ == "RHS" || section_ == "RANGES") return right_side(fields);
    if (section_ == "BOUNDS") return bound(fields);
    if (section_ != "OBJSENSE") fail("a section wanted, from the line's first column on");
  }

  double number(const std::string& text) const {
    double value = 0;
    const char *begin = text.data() + (text.starts_with('+') ? 1 : 0), *end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(begin, end, value);
    if (error != std::errc{} || stopped != end || !(std::fabs(value) <= 1e100))
      fail(fmt::format("a number of at most 1e100 wanted ({} came)", text));
    return value;
  }

  // −1 for the objective and other rows without bounds, which are left aside.
  Index known_row(const std::string& row) const {
    const auto found = rows_.find(row);
    if (found == rows_.end()) fail(fmt::format("there is no row {}", row));
    return found->second;
  }

  void row(const std::vector<std::string>& fields) {
    if (fields.size() != 2) fail("a type and a name of a row wanted");
    const std::string& type = fields[0];
    if (type != "N" && type != "L" && type != "G" && type != "E")
      fail(fmt::format("a row must be N, L, G or E ({} came)", type));
    const Index at = type == "N" ? -1 : static_cast<Index>(program_.rows());
    if (!rows_.try_emplace(fields[1], at).second) fail(fmt::format("row {} is declared twice", fields[1]));
    if (at < 0) return;
    types_.push_back(type[0]);
    program_.row_lower.push_back(type == "L" ? -kUnbounded : 0);
    program_.row_upper.push_back(type == "G" ? kUnbounded : 0);
  }

  void column(const std::vector<std::string>& fields) {
    if (fields.size() >= 2 && fields[1] == "'MARKER'") fail_integers();
    if (fields.size() != 3 && fields.size() != 5) fail("a column, and one or two rows with their numbers, wanted");
    const auto [place, is_new] = columns_.try_emplace(fields[0], static_cast<Index>(program_.cols()));
    if (is_new) {
      program_.lower.push_back(0);
      program_.upper.push_back(kUnbounded);
    }
    for (std::size_t k = 1; k < fields.size(); k += 2) {
      const Index at = known_row(fields[k]);
      const double value = number(fields[k + 1]);
      if (at < 0) continue;
      if (!seen_.emplace(at, place->second).second)
        fail(fmt::format("row {} has column {} twice", fields[k], fields[0]));
      if (value != 0) program_.entries.push_back({at, place->second, value});
    }
  }

  // The name of the right-hand side may be left out.
  void right_side(const std::vector<std::string>& fields) {
    if (fields.size() < 2 || fields.size() > 5) fail("one or two rows with their numbers wanted");
    for (std::size_t k = fields.size() % 2; k < fields.size(); k += 2) {
      const Index at = known_row(fields[k]);
      const double value = number(fields[k + 1]);
      if (at < 0) continue;
      const auto i = static_cast<std::size_t>(at);
      if (section_ == "RANGES") {
        ranges_[at] = value;
      } else {
        if (types_[i] != 'G') program_.row_upper[i] = value;
        if (types_[i] != 'L') program_.row_lower[i] = value;
      }
    }
  }

  void widen(std::size_t row, double range) {
    double &lower = program_.row_lower[row], &upper = program_.row_upper[row];
    if (types_[row] == 'L' || (types_[row] == 'E' && range < 0))
      lower = upper - std::fabs(range);
    else
      upper = lower + std::fabs(range);
  }

  void bound(const std::vector<std::string>& fields) {
    const std::string& type = fields[0];
    if (type == "BV" || type == "LI" || type == "UI" || type == "SC") fail_integers();
    const bool valued = type == "UP" || type == "LO" || type == "FX";
    if (!valued && type != "FR" && type != "MI" && type != "PL")
      fail(fmt::format("a bound must be UP, LO, FX, FR, MI or PL ({} came)", type));
    const std::size_t least = valued ? 3 : 2;  // and one more with the bounds' name
    if (fields.size() < least || fields.size() > least + 1)
      fail("a type, a column and, except for FR, MI and PL, a number wanted");
    const std::string& name = fields[fields.size() - (valued ? 2 : 1)];
    const auto found = columns_.find(name);
    if (found == columns_.end()) fail(fmt::format("there is no column {}", name));
    double &lower = program_.lower[static_cast<std::size_t>(found->second)],
           &upper = program_.upper[static_cast<std::size_t>(found->second)];
    double value = valued ? number(fields.back()) : 0;
    if (std::fabs(value) >= kInfinite) value = std::copysign(kUnbounded, value);
    if (type == "UP" && value < 0 && lower == 0)
      fail(fmt::format("column {} has an upper bound below 0: write its lower bound, LO or MI, before it", name));
    if (type == "UP" || type == "FX") upper = value;
    if (type == "LO" || type == "FX") lower = value;
    if (type == "MI" || type == "FR") lower = -kUnbounded;
    if (type == "PL" || type == "FR") upper = kUnbounded;
  }

  std::string name_, section_;
  int line_ = 0;
  LinearProgram program_;
  std::string types_;  // of the rows kept: L, G or E
  std::map<std::string, Index> rows_, columns_;
  std::set<std::pair<Index, Index>> seen_;
  std::map<Index, double> ranges_;
};

}  // namespace

LinearProgram read_mps_format(std::string_view text, const std::string& name) { return MpsReader(name).read(text); }

}  // namespace tarry::oracles
