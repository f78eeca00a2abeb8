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

// docs/streams.md has examples.
constexpr std::array<Word, 9> kTime = {"time", "timestamp", "datetime", "date", "at", "ts", "t", "when", "dt"};
// A unit makes a time of a word of the lists below, not of others: pickup_s, submit_utc_ms, but not duration_s.
constexpr std::array<Word, 23> kUnit = {"s",      "sec",   "secs",  "seconds", "ms",   "msec",    "millis", "us",
                                        "micros", "ns",    "nanos", "min",     "mins", "minutes", "h",      "hr",
                                        "hrs",    "hours", "days",  "epoch",   "unix", "utc",     "gmt"};
constexpr Word kEvent[] = {"submit",      "start",        "begin",       "open",       "request",     "query",
                           "decision",    "prediction",   "click",       "order",      "pickup",      "impression",
                           "issue",       "depart",       "departure",   "creation",   "submission",  "signup",
                           "application", "registration", "booking",     "admission",  "purchase",    "sale",
                           "loan",        "invoice",      "visit",       "call",       "transaction", "txn",
                           "trade",       "quote",        "enrolment",   "enrollment", "dispatch",    "ticket",
                           "intake",      "disbursement", "observation", "sample",     "posting",     "listing",
                           "login",       "session",      "referral",    "checkin",    "measurement", "sowing",
                           "planting",    "lead"};
constexpr Word kFeedback[] = {
    "resolve",      "label",        "outcome",  "result",     "response", "answer",  "reply",        "end",
    "finish",       "close",        "arrival",  "arrive",     "dropoff",  "payment", "return",       "delivery",
    "conversion",   "target",       "complete", "completion", "refund",   "churn",   "cancellation", "settlement",
    "confirmation", "verification", "review",   "discharge",  "failure",  "repair",  "harvest",      "chargeback",
    "dispute",      "repayment",    "verdict",  "resolution", "closing",  "closure", "renewal",      "default",
    "checkout",     "feedback",     "decision"};  // as an event, too: what was decided for a client, or by a model
// These are times without a word of time, too.
constexpr Word kEventAlone[] = {"asked",      "created", "started", "opened",  "requested", "submitted",  "issued",
                                "ordered",    "sent",    "shown",   "seen",    "applied",   "registered", "booked",
                                "admitted",   "posted",  "listed",  "placed",  "purchased", "bought",     "invoiced",
                                "dispatched", "logged",  "called",  "sampled", "measured",  "published",  "enrolled",
                                "disbursed",  "quoted",  "planted", "sown",    "taken",     "referred"};
constexpr Word kFeedbackAlone[] = {
    "known",     "answered",  "resolved", "closed",    "finished", "ended",     "completed",  "arrived",  "delivered",
    "labelled",  "labeled",   "observed", "converted", "paid",     "returned",  "repaid",     "refunded", "churned",
    "cancelled", "canceled",  "settled",  "confirmed", "verified", "reviewed",  "discharged", "failed",   "repaired",
    "sold",      "harvested", "disputed", "decided",   "received", "graduated", "clicked",    "replied",  "renewed",
    "redeemed",  "defaulted", "judged",   "graded",    "assessed", "diagnosed"};
constexpr Word kOutcome[] = {
    "late",     "paid",      "churn",      "churned",    "default",   "defaulted",  "clicked",    "converted",
    "returned", "success",   "successful", "status",     "result",    "delay",      "delayed",    "duration",
    "fraud",    "cancelled", "canceled",   "won",        "made",      "met",        "repaid",     "refunded",
    "approved", "accepted",  "rejected",   "bought",     "purchased", "subscribed", "fraudulent", "spam",
    "survived", "died",      "passed",     "failed",     "attended",  "renewed",    "sold",       "resolved",
    "breached", "outcome",   "readmitted", "opened",     "replied",   "escalated",  "graduated",  "disputed",
    "broke",    "broken",    "recovered",  "conversion", "verdict",   "response",   "unpaid",     "overdue",
    "shown",    "ontime",    "yield",      "redeemed",   "hired",     "kept"};
constexpr Word kPlanned[] = {"due",       "deadline", "expected",    "promised", "planned",    "scheduled",
                             "schedule",  "eta",      "expires",     "expiry",   "expiration", "until",
                             "estimated", "valid",    "appointment", "term"};
constexpr Word kPast[] = {"birth", "birthday", "dob",     "born",  "since",        "last",  "previous",
                          "prior", "prev",     "founded", "built", "manufactured", "joined"};
constexpr Word kBookkeeping[] = {"updated",  "modified", "exported", "loaded", "ingested",  "synced",  "extracted",
                                 "imported", "inserted", "snapshot", "asof",   "refreshed", "changed", "edited"};
constexpr Word kAmount[] = {"amount",  "amt",     "price",    "cost",     "fee",    "total", "sum",     "value",
                            "balance", "revenue", "salary",   "income",   "usd",    "eur",   "gbp",     "dollars",
                            "euros",   "euro",    "qty",      "quantity", "score",  "rate",  "percent", "pct",
                            "ratio",   "weight",  "kg",       "km",       "size",   "age",   "length",  "distance",
                            "rating",  "budget",  "discount", "tax",      "charge", "spend", "spent",   "limit"};
constexpr Word kFeature[] = {"weight",  "length", "height",  "width",    "size",        "distance",  "area",
                             "country", "city",   "region",  "state",    "zip",         "postcode",  "age",
                             "gender",  "sex",    "device",  "browser",  "channel",     "source",    "currency",
                             "notes",   "note",   "comment", "comments", "description", "name",      "email",
                             "address", "phone",  "lat",     "lon",      "latitude",    "longitude", "url",
                             "colour",  "color",  "brand",   "model",    "language",    "segment",   "plan",
                             "store",   "branch", "team",    "agent",    "user",        "tags"};
constexpr std::array<Word, 5> kId = {"id", "ids", "uuid", "guid", "identifier"};
constexpr std::array<Word, 9> kCode = {"zip", "zipcode", "postcode", "plz", "mcc", "phone", "iban", "mrn", "sku"};
constexpr std::array<Word, 2> kIdAlone = {"case", "key"};
constexpr Word kRowCount[] = {"row",   "rows",        "index",     "idx",    "nr",      "no",
                              "num",   "seq",         "serial",    "ticket", "invoice", "booking",
                              "claim", "transaction", "reference", "ref",    "number"};
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
  const bool time = any_of(words, kTime) || (words.size() > 1 && words.back() == "on"),
             timed = time || any_of(words, kUnit);
  return {time, suits(words, timed, "event", kEvent, kEventAlone),
          suits(words, timed, "feedback", kFeedback, kFeedbackAlone)};
}

bool sounds_like_a_label(const std::string& name) {
  static constexpr std::array<Word, 6> kOfTheRow = {"marital", "employment", "civil",
                                                    "family",  "membership", "account"};
  const std::vector<std::string> words = words_of(name);
  static constexpr std::array<Word, 2> kNoShow = {"no", "show"};
  const bool no_show = std::search(words.begin(), words.end(), kNoShow.begin(), kNoShow.end()) != words.end();
  return (no_show || any_of(words, kOutcome)) && !any_of(words, kOfTheRow) &&
         !(words.size() > 1 && any_of(words, kCount));
}

bool is_planned(const std::string& name) { return any_of(words_of(name), kPlanned); }
bool is_of_the_past(const std::string& name) { return any_of(words_of(name), kPast); }
bool is_bookkeeping(const std::string& name) { return any_of(words_of(name), kBookkeeping); }
bool has_word_of_versions(const std::string& name) {
  static constexpr std::array<Word, 5> kVersion = {"version", "versions", "ver", "build", "firmware"};
  return any_of(words_of(name), kVersion);
}
bool is_amount_name(const std::string& name) { return any_of(words_of(name), kAmount); }
bool sounds_like_a_feature(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  return !words.empty() && any_of({words.back()}, kFeature);
}

bool share_a_word(const std::string& a, const std::string& b) {
  const auto stem_in_common = [](const std::string& x, const std::string& y) {
    const auto [end, other] = std::mismatch(x.begin(), x.end(), y.begin(), y.end());
    const auto common = static_cast<std::size_t>(end - x.begin());
    return common >= 4 && 5 * common >= 3 * std::min(x.size(), y.size()) && common + 5 >= std::max(x.size(), y.size());
  };
  for (const std::string& x : words_of(a)) {
    if (any_of({x}, kTime) || any_of({x}, kUnit)) continue;
    for (const std::string& y : words_of(b))
      if (x == y ? x.size() >= 3 : stem_in_common(x, y)) return true;
  }
  return false;
}

bool is_id_name(const std::string& name) {
  const std::vector<std::string> words = words_of(name);
  if (any_of(words, kId) || any_of(words, kCode) || (words.size() == 1 && any_of(words, kIdAlone))) return true;
  return words.size() > 1 &&
         (words.back() == "no" || words.back() == "nr" || words.back() == "number" || words.back() == "code");
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
