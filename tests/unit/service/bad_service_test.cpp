// Models that get the same decisions for thirteen days; then each but one goes wrong in a way of its own. What /metrics
// tells is held against deploy/alerts.yml, and the service's log is read.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "paths.h"
#include "tarry/base/random.h"
#include "tarry/service/watch/kept_watch.h"
#include "unit/service/alert_rules.h"
#include "unit/service/turned_service.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kShopStepMs = 600'000, kShopHour = 3'600'000, kShopDay = 24 * kShopHour;
constexpr std::int64_t kShopBreaks = 13 * kShopDay, kShopEnds = 16 * kShopDay;
constexpr int kShopBatch = 6;  // decisions at each step
constexpr const char* kShopSpec = R"({"task": "binary", "products": 0, "bends": false, "features": {"capacity": 64}})";
constexpr const char* kShopExpires =
    R"({"task": "binary", "products": 0, "bends": false, "features": {"capacity": 64}, "expiry": {"seconds": 43200}})";
constexpr const char* kShopLearnsNothing =
    R"({"set": {"type": "box", "dimension": 64, "lower": -1e-3, "upper": 1e-3}, "learner": {"type": "delayed_ogd", "eta": 1e-6}, "loss": {"type": "logistic"}, "features": {"capacity": 64}})";

enum class Bad : std::uint8_t {
  kNot,
  kSlow,
  kNoYes,
  kOutage,
  kGivenUp,
  kMissing,
  kNewName,
  kShifted,
  kInverted,
  kMostlyYes
};

struct BadModel {
  const char* name;
  Bad bad;
  std::set<std::string> alerts;  // that must fire, with the kind where there is one
};
const std::vector<BadModel> kBadModels{
    {"well", Bad::kNot, {}},
    {"slow", Bad::kSlow, {"TarryLabelsDrift delay"}},
    {"no-yes", Bad::kNoYes, {"TarryLabelsDrift label"}},
    {"outage", Bad::kOutage, {"TarryLabelsOverdue", "TarryLabelsDrift arrivals", "TarryNoFeedback"}},
    {"given-up", Bad::kGivenUp, {"TarryGivingUp"}},
    {"missing", Bad::kMissing, {"TarryModelDrifts feature"}},
    {"new-name", Bad::kNewName, {"TarryModelDrifts new_names"}},
    {"shifted", Bad::kShifted, {"TarryModelDrifts prediction"}},
    {"inverted", Bad::kInverted, {"TarryModelWorseThanConstant", "TarryModelLosesMore"}},
    {"mostly-yes", Bad::kMostlyYes, {"TarryModelMiscalibrated"}},
};

struct Played {
  std::map<std::string, std::set<std::string>> fired;  // alerts, by model
  std::set<std::string> rules;
  std::vector<std::string> said;  // the service's log
  WatchedModel restarted;         // "outage" as it is after a restart
};

// Feeds one model.
class Shop {
 public:
  Shop(TurnedService& service, const BadModel& model) : service_(service), model_(model) {
    service.create(model.name, model.bad == Bad::kGivenUp     ? kShopExpires
                               : model.bad == Bad::kMostlyYes ? kShopLearnsNothing
                                                              : kShopSpec);
  }

  void step() {
    const std::int64_t now = service_.now_ms() - TurnedService::kFirst;
    const Bad bad = now >= kShopBreaks ? model_.bad : Bad::kNot;
    const double yes = bad == Bad::kMostlyYes ? 0.95 : 0.5;  // of a model that learns nothing
    std::vector<NamedFeatures> rows;
    std::vector<bool> labels;
    for (int k = 0; k < kShopBatch; ++k) {
      double x = draw_.uniform();
      const double city = draw_.uniform(), outcome = draw_.uniform();
      if (bad == Bad::kShifted) x = 0.7 + 0.3 * x;
      const double score = 6 * (x - 0.5) + (city < 0.5 ? 0.5 : -0.5);
      const double sign = bad == Bad::kInverted && now / (12 * kShopHour) % 2 == 0 ? -1 : 1;
      labels.push_back(outcome < (model_.bad == Bad::kMostlyYes ? yes : 1 / (1 + std::exp(-sign * score))));
      NamedFeatures row{{"city", std::string(city < 0.5 ? "Paris" : "Rome")}};
      if (bad != Bad::kMissing || outcome < 0.6) row.push_back({bad == Bad::kNewName && k < 2 ? "xx" : "x", x});
      rows.push_back(std::move(row));
    }
    const std::vector<std::string> tickets = service_.decide(model_.name, std::move(rows));
    const bool lost = bad == Bad::kOutage || bad == Bad::kGivenUp;
    for (std::size_t k = 0; k < tickets.size(); ++k) {
      const double wait = -std::log(draw_.uniform()) * (bad == Bad::kSlow ? 6 : 2) * kShopHour;
      if (!lost && !(bad == Bad::kNoYes && labels[k]))
        coming_.emplace(now + static_cast<std::int64_t>(wait), std::pair{tickets[k], labels[k]});
    }
    std::vector<std::pair<std::string, LabelValue>> due;
    for (; !coming_.empty() && coming_.begin()->first <= now; coming_.erase(coming_.begin()))
      if (!lost) due.emplace_back(coming_.begin()->second.first, coming_.begin()->second.second);
    service_.label(due);
  }

 private:
  TurnedService& service_;
  const BadModel& model_;
  RandomSequence draw_{31};
  std::multimap<std::int64_t, std::pair<std::string, bool>> coming_;
};

// How long each rule has held, for each of its rows.
class Firing {
 public:
  explicit Firing(std::vector<alerts::Rule> rules) : rules_(std::move(rules)) {}

  void look(const std::deque<alerts::Scrape>& scrapes, Played& played) {
    const std::int64_t now = scrapes.back().at_ms;
    for (const alerts::Rule& rule : rules_) {
      auto& since = since_[rule.name];
      const alerts::Vector rows = alerts::Expression(rule.expression, scrapes).rows();
      std::erase_if(since, [&](const auto& one) { return !rows.contains(one.first); });
      for (const auto& [labels, number] : rows) {
        if (now - since.emplace(labels, now).first->second < rule.for_ms) continue;
        const auto kind = labels.find("kind");
        played.fired[labels.at("model")].insert(rule.name + (kind == labels.end() ? "" : " " + kind->second));
      }
    }
  }

 private:
  std::vector<alerts::Rule> rules_;
  std::map<std::string, std::map<alerts::Labels, std::int64_t>> since_;
};

void play_bad_models(Played& played) {
  TurnedService service;
  std::vector<Shop> shops;
  for (const BadModel& model : kBadModels) shops.emplace_back(service, model);
  const std::vector<alerts::Rule> rules =
      alerts::read_rules(std::string(paths::kDeploy) + "/alerts.yml", "tarry_model_");
  for (const alerts::Rule& rule : rules) played.rules.insert(rule.name);
  Firing firing(rules);
  std::deque<alerts::Scrape> scrapes;
  for (std::int64_t at = 0; at < kShopEnds; at += kShopStepMs) {
    for (Shop& shop : shops) shop.step();
    service.tick();
    service.turn(kShopStepMs);
    if (at < kShopBreaks - 2 * kShopDay) continue;
    scrapes.push_back(alerts::read_metrics(service.now_ms(), service.metrics(), "tarry_model_"));
    firing.look(scrapes, played);
  }
  played.said = service.said();
  keep_on(played.restarted, kept_bytes(service.service().models().find("outage")->watched));
}

// Played once for all tests.
Played& played() {
  static const std::unique_ptr<Played> all = [] {
    auto made = std::make_unique<Played>();
    play_bad_models(*made);
    return made;
  }();
  return *all;
}

std::string listed(const std::set<std::string>& names) {
  std::string out;
  for (const std::string& name : names) out += name + "\n";
  return out;
}

TEST(BadService, FiresTheAlertsOfEachFault) {
  for (const BadModel& model : kBadModels) {
    const auto found = played().fired.find(model.name);
    const std::set<std::string> fired = found == played().fired.end() ? std::set<std::string>() : found->second;
    for (const std::string& alert : model.alerts)
      EXPECT_TRUE(fired.contains(alert)) << model.name << " lacks " << alert << ", and has\n" << listed(fired);
  }
}

TEST(BadService, FiresNothingWhileAllIsWell) {
  const auto found = played().fired.find("well");
  EXPECT_TRUE(found == played().fired.end()) << listed(found->second);
}

TEST(BadService, HasAFaultForEveryRuleAboutModels) {
  std::set<std::string> rules = played().rules;
  EXPECT_GE(rules.size(), 9u);
  for (const BadModel& model : kBadModels)
    for (const std::string& alert : model.alerts) rules.erase(alert.substr(0, alert.find(' ')));
  EXPECT_EQ(listed(rules), "TarryChallengerBetter\n");  // no fault
}

TEST(BadService, TellsNothingTwiceAfterARestart) {
  WatchedModel& outage = played().restarted;
  EXPECT_TRUE(outage.drift.alarmed());
  EXPECT_NE(outage.quality.troubles().since_ms(Trouble::kOverdue), 0);
  EXPECT_TRUE(outage.news.take(outage.quality, outage.drift).empty());
}

// The lines of one model, shortened to what began or ended.
std::vector<std::string> said_of(const std::string& model) {
  std::vector<std::string> found;
  for (const std::string& line : played().said) {
    const spec::Value told = spec::parse_json(line);
    const auto text = [&](const char* key) {
      const spec::Value* value = told.find(key);
      return value == nullptr ? std::string() : std::get<std::string>(value->as);
    };
    if (text("model") != model) continue;
    EXPECT_EQ(text("level"), text("event") == "alarm" ? "warning" : "info") << line;
    EXPECT_NE(told.find("since_ms"), nullptr) << line;
    EXPECT_EQ(text("look").empty(), text("event") == "alarm over") << line;
    found.push_back(text("event") + ": " + text("what") + (text("feature").empty() ? "" : " " + text("feature")));
  }
  return found;
}

TEST(BadService, LogsEachChangeOnce) {
  EXPECT_EQ(said_of("well"), std::vector<std::string>());
  for (const BadModel& model : kBadModels) {
    std::set<std::string> lasting;
    for (const std::string& line : said_of(model.name)) {
      const std::string what = line.substr(line.find(": "));
      EXPECT_TRUE(line.starts_with("alarm over") ? lasting.erase(what) == 1 : lasting.insert(what).second)
          << model.name << ": " << line;
    }
  }
  const auto begins = [](const std::string& model, const std::string& what) {
    const std::vector<std::string> said = said_of(model);
    EXPECT_TRUE(std::find(said.begin(), said.end(), "alarm: " + what) != said.end()) << model << ": " << what;
  };
  begins("slow", "delay");
  begins("no-yes", "label");
  begins("outage", "arrivals");
  begins("outage", "overdue");
  begins("missing", "feature x");
  begins("new-name", "new_names");
  begins("shifted", "prediction");
  begins("inverted", "worse");
  begins("mostly-yes", "miscalibrated");
}

}  // namespace
}  // namespace tarry::service
