#include "tarry/data/text/iso_time.h"

#include <chrono>

#include "tarry/data/text/text_lines.h"

namespace tarry::lab {
namespace {

// Takes a text apart from its front; once something does not fit, nothing does any more.
class Taking {
 public:
  explicit Taking(std::string_view text) : rest_(text) {}

  bool done() const { return fits_ && rest_.empty(); }
  bool sees(std::string_view any) const { return !rest_.empty() && any.find(rest_[0]) != std::string_view::npos; }
  bool skip(std::string_view any) {
    if (!sees(any)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void need(std::string_view any) { fits_ = skip(any) && fits_; }

  int digits(int count) {
    int number = 0;
    for (; count > 0; --count) {
      if (!sees("0123456789")) {
        fits_ = false;
        return 0;
      }
      number = 10 * number + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return number;
  }

  // At most `most`.
  int digits(int count, int most) {
    const int number = digits(count);
    fits_ = fits_ && number <= most;
    return number;
  }

  double fraction() {  // of a second, its point already taken
    double sum = 0, unit = 0.1;
    fits_ = fits_ && sees("0123456789");
    for (; sees("0123456789"); unit /= 10) sum += unit * digits(1);
    return sum;
  }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

double time_of_day(Taking& text) {
  double seconds = 3600.0 * text.digits(2, 23);
  text.need(":");
  seconds += 60.0 * text.digits(2, 59);
  if (!text.skip(":")) return seconds;
  seconds += text.digits(2, 60);  // 60: a leap second
  return text.skip(".,") ? seconds + text.fraction() : seconds;
}

// Seconds that a zone is ahead of UTC.
double zone(Taking& text) {
  if (text.skip("Zz") || !text.sees("+-")) return 0;
  const double sign = text.skip("-") ? -1 : (text.need("+"), 1);
  double seconds = 3600.0 * text.digits(2, 23);
  const bool colon = text.skip(":");
  if (colon || text.sees("0123456789")) seconds += 60.0 * text.digits(2, 59);
  return sign * seconds;
}

}  // namespace

bool read_iso_time(std::string_view cell, double& seconds) {
  Taking text(trimmed(cell));
  const int year = text.digits(4);
  text.need("-");
  const int month = text.digits(2);
  text.need("-");
  const int day = text.digits(2);
  const std::chrono::year_month_day date(std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day)));
  if (!date.ok()) return false;
  double sum = 86400.0 * static_cast<double>(std::chrono::sys_days(date).time_since_epoch().count());
  if (text.skip("Tt ")) {
    sum += time_of_day(text);
    sum -= zone(text);
  }
  if (!text.done()) return false;
  seconds = sum;
  return true;
}

}  // namespace tarry::lab
