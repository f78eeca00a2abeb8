#include "tarry/data/text/date_names.h"

#include <array>
#include <span>

namespace tarry::data {
namespace {

using Names = std::span<const std::string_view>;

// A name is also known by its first three and four letters; other abbreviations are listed beside it.
constexpr std::array<std::string_view, 4> kJanuary = {"january", "januar", "janvier", "enero"};
constexpr std::array<std::string_view, 7> kFebruary = {"february",   "februar", "f\xC3\xA9vrier", "f\xC3\xA9vr",
                                                       "f\xC3\xA9v", "fevrier", "febrero"};
constexpr std::array<std::string_view, 6> kMarch = {"march", "m\xC3\xA4rz", "m\xC3\xA4r", "maerz", "mars", "marzo"};
constexpr std::array<std::string_view, 3> kApril = {"april", "avril", "abril"};
constexpr std::array<std::string_view, 3> kMay = {"may", "mai", "mayo"};
constexpr std::array<std::string_view, 4> kJune = {"june", "juni", "juin", "junio"};
constexpr std::array<std::string_view, 4> kJuly = {"july", "juli", "juillet", "julio"};
constexpr std::array<std::string_view, 4> kAugust = {"august", "ao\xC3\xBBt", "aout", "agosto"};
constexpr std::array<std::string_view, 3> kSeptember = {"september", "septembre", "septiembre"};
constexpr std::array<std::string_view, 4> kOctober = {"october", "oktober", "octobre", "octubre"};
constexpr std::array<std::string_view, 3> kNovember = {"november", "novembre", "noviembre"};
constexpr std::array<std::string_view, 6> kDecember = {"december",
                                                       "dezember",
                                                       "d\xC3\xA9"
                                                       "cembre",
                                                       "d\xC3\xA9"
                                                       "c",
                                                       "decembre",
                                                       "diciembre"};
constexpr std::array<Names, 12> kMonths = {kJanuary, kFebruary, kMarch,     kApril,   kMay,      kJune,
                                           kJuly,    kAugust,   kSeptember, kOctober, kNovember, kDecember};
constexpr std::array<std::string_view, 28> kWeekdays = {"monday",
                                                        "tuesday",
                                                        "wednesday",
                                                        "thursday",
                                                        "friday",
                                                        "saturday",
                                                        "sunday",
                                                        "montag",
                                                        "dienstag",
                                                        "mittwoch",
                                                        "donnerstag",
                                                        "freitag",
                                                        "samstag",
                                                        "sonntag",
                                                        "lundi",
                                                        "mardi",
                                                        "mercredi",
                                                        "jeudi",
                                                        "vendredi",
                                                        "samedi",
                                                        "dimanche",
                                                        "lunes",
                                                        "martes",
                                                        "jueves",
                                                        "viernes",
                                                        "s\xC3\xA1"
                                                        "bado",
                                                        "domingo",
                                                        "mi\xC3\xA9rcoles"};

// How much of the text a name takes: all of it, or its first four or three letters; 0: it does not come next.
std::size_t length_of(const Taking& text, std::string_view name) {
  if (!text.sees_either(name.front())) return 0;
  for (const std::size_t length : {name.size(), std::size_t{4}, std::size_t{3}}) {
    Taking ahead = text;
    if (length <= name.size() && ahead.skip_word(name.substr(0, length)) && !ahead.sees_letter()) return length;
  }
  return 0;
}

}  // namespace

int take_month(Taking& text) {
  if (!text.sees_letter()) return 0;
  for (std::size_t month = 0; month < kMonths.size(); ++month)
    for (const std::string_view name : kMonths[month])
      if (const std::size_t length = length_of(text, name); length > 0) {
        text.skip_word(name.substr(0, length));
        text.skip(".");
        return static_cast<int>(month) + 1;
      }
  return 0;
}

bool take_weekday(Taking& text) {
  if (!text.sees_letter()) return false;
  for (const std::string_view name : kWeekdays)
    if (const std::size_t length = length_of(text, name); length > 0) {
      text.skip_word(name.substr(0, length));
      text.skip(".");
      return true;
    }
  return false;
}

void skip_at(Taking& text) {
  for (const std::string_view word : {"at ", "um ", "\xC3\xA0 ", "a las "})
    if (text.skip_word(word)) return;
}

}  // namespace tarry::data
