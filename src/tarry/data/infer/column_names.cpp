#include "tarry/data/infer/column_names.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <string_view>

namespace tarry::data {
namespace {

using Words = std::span<const std::string_view>;
using Word = std::string_view;

// The lists of docs/streams.md.
constexpr std::array<Word, 8> kTime = {"time", "timestamp", "datetime", "date", "at", "ts", "t", "when"};
// A unit makes a time of a word of the lists below, not of others: pickup_s, submit_utc_ms, but not duration_s.
constexpr std::array<Word, 23> kUnit = {"s",      "sec",   "secs",  "seconds", "ms",   "msec",    "millis", "us",
                                        "micros", "ns",    "nanos", "min",     "mins", "minutes", "h",      "hr",
                                        "hrs",    "hours", "days",  "epoch",   "unix", "utc",     "gmt"};
constexpr std::array<Word, 17> kEvent = {"submit",   "start",      "begin",     "open",     "request",   "query",
                                         "decision", "prediction", "click",     "order",    "pickup",    "impression",
                                         "issue",    "depart",     "departure", "creation", "submission"};
constexpr std::array<Word, 20> kFeedback = {"resolve",  "label",      "outcome", "result",   "response",
                                            "answer",   "reply",      "end",     "finish",   "close",
                                            "arrival",  "arrive",     "dropoff", "payment",  "return",
                                            "delivery", "conversion", "target",  "complete", "completion"};
// These are times without a word of time, too.
constexpr std::array<Word, 8> kEventAlone = {"asked",     "created",   "started", "opened",
                                             "requested", "submitted", "issued",  "ordered"};
constexpr std::array<Word, 15> kFeedbackAlone = {"known",   "answered",  "resolved",  "closed",    "finished",
                                                 "ended",   "completed", "arrived",   "delivered", "labelled",
                                                 "labeled", "observed",  "converted", "paid",      "returned"};
constexpr std::array<Word, 22> kOutcome = {"late",     "paid",      "churn",    "churned",  "default",    "defaulted",
                                           "clicked",  "converted", "returned", "success",  "successful", "status",
                                           "result",   "delay",     "delayed",  "duration", "fraud",      "cancelled",
                                           "canceled", "won",       "made",     "met"};
constexpr std::array<Word, 5> kId = {"id", "ids", "uuid", "guid", "identifier"};
constexpr std::array<Word, 2> kIdAlone = {"case", "key"};
constexpr std::array<Word, 9> kRowCount = {"row", "rows", "index", "idx", "nr", "no", "num", "seq", "serial"};
constexpr std::array<Word, 14> kAtTheEnd = {"final",     "finally",   "resolved", "resolution", "closed",
                                            "closing",   "closure",   "outcome",  "finished",   "ended",
                                            "completed", "delivered", "answered", "labelled"};
constexpr std::array<Word, 8> kCount = {"n", "count", "counts", "num", "nr", "number", "total", "times"};
constexpr std::array<Word, 30> kHappens = {
    "event",       "events",   "update",       "updates",       "change",   "changes", "modification", "modifications",
    "sys",         "mod",      "reassignment", "reassignments", "reopen",   "reopens", "reopened",     "escalation",
    "escalations", "reply",    "replies",      "comment",       "comments", "touch",   "touches",      "transition",
    "transitions", "activity", "activities",   "move",          "moves",    "steps"};
constexpr std::array<Word, 6> kLabel = {"label", "y", "target", "class", "outcome", "response"};

bool any_of(const std::vector<std::string>& words, Words list) {
  return std::any_of(words.begin(), words.end(),
                     [&](const std::string& word) { return std::find(list.begin(), list.end(), word) != list.end(); });
}

int suits(const std::vector<std::string>& words, bool time, std::string_view own, Words meaning, Words alone) {
  if (any_of(words, alone)) return 1;
  if (!time) return 0;
  if (std::find(words.begin(), words.end(), own) != words.end()) return 2;
  return any_of(words, meaning) ? 1 : 0;
}

}  // namespace

std::vector<std::string> words_of(const std::string& name) {
  std::vector<std::string> words;
  bool inside = false, after_small = false;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = std::isalnum(byte) != 0 || byte >= 0x80;
    const bool capital = std::isupper(byte) != 0;
    if (!letter) {
      inside = false;
      continue;
    }
    if (!inside || (capital && after_small)) words.emplace_back();
    words.back() += static_cast<char>(std::tolower(byte));
    inside = true;
    after_small = !capital;
  }
  return words;
}

TimeName time_name(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  const bool time = any_of(words, kTime), timed = time || any_of(words, kUnit);
  return {time, suits(words, timed, "event", kEvent, kEventAlone),
          suits(words, timed, "feedback", kFeedback, kFeedbackAlone)};
}

bool sounds_like_a_label(const std::string& name) { return any_of(words_of(name), kOutcome); }

bool is_id_name(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return any_of(words, kId) || (words.size() == 1 && any_of(words, kIdAlone));
}

bool is_row_count(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return words.size() == 1 && any_of(words, kRowCount);
}

bool is_known_later(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return any_of(words, kAtTheEnd) || (any_of(words, kCount) && any_of(words, kHappens));
}

double unit_in_name(const std::string& name) {
  struct Unit {
    Word word;
    double seconds;
  };
  static constexpr std::array<Unit, 25> kUnits = {
      {{"ns", 1e-9},    {"nanos", 1e-9},  {"us", 1e-6},   {"micros", 1e-6}, {"ms", 1e-3},
       {"msec", 1e-3},  {"millis", 1e-3}, {"s", 1},       {"sec", 1},       {"secs", 1},
       {"second", 1},   {"seconds", 1},   {"min", 60},    {"mins", 60},     {"minute", 60},
       {"minutes", 60}, {"h", 3600},      {"hr", 3600},   {"hrs", 3600},    {"hour", 3600},
       {"hours", 3600}, {"d", 86400},     {"day", 86400}, {"days", 86400},  {"weeks", 604800}}};
  const std::vector<std::string> words = words_of(name);
  for (auto word = words.rbegin(); word != words.rend(); ++word)
    for (const Unit& unit : kUnits)
      if (unit.word == *word) return unit.seconds;
  return 0;
}

bool is_label_name(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return words.size() == 1 && any_of(words, kLabel);
}

}  // namespace tarry::data
