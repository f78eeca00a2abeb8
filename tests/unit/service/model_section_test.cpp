#include "tarry/service/report/model_section.h"

#include <gtest/gtest.h>

#include <deque>

#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/service/report/report_words.h"
#include "tarry/service/watch/wait_words.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kReportDay = 86'400'000, kReportFirst = 1'794'009'600'000;  // a midnight

// Three weeks with a label two hours after each decision; on the last day none comes.
struct ThreeWeeks {
  ThreeWeeks() : model("m", ModelSpec::parse(R"({"task": "binary"})").json()) {
    RandomSequence draw(4);
    std::deque<std::pair<Round, bool>> waiting;
    for (std::int64_t now = kReportFirst; now < end; now += 300'000) {
      const double x = draw.uniform();
      const NamedFeatures row{{"x", x}};
      waiting.emplace_back(apply(Play{.features = Features(row)}, now), draw.uniform() < x);
      if (waiting.size() > 24 && now < end - kReportDay) {
        apply(Label{waiting.front().first, waiting.front().second}, now);
        waiting.pop_front();
      }
      Watch::gauge(watched, now, waiting.size(), 0, 0);
    }
  }
  Round apply(Event event, std::int64_t now) {
    const hosting::Apply entry{.incarnation = 1, .at_ms = now, .event = std::move(event)};
    const hosting::Folded folded = model.apply(entry, 1);
    watch.folded(watched, {model, entry.event, folded, 0.001, now});
    return folded.round;
  }

  const std::int64_t end = kReportFirst + 21 * kReportDay;
  hosting::HostedModel model;
  Watch watch;
  WatchedModel watched;
};

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(ModelSection, SaysWhatWasInThePeriodAndNoMore) {
  const ThreeWeeks weeks;
  const auto section = [&](std::int64_t from_day, std::int64_t to_day) {
    return model_section(weeks.model, weeks.watched,
                         {kReportFirst + from_day * kReportDay, kReportFirst + to_day * kReportDay, weeks.end});
  };
  const ModelSection last = section(14, 21), second = section(7, 14);
  EXPECT_TRUE(has(last.section, "<dd>2,016; 1,704 of them have their label, 0 were given up</dd>")) << last.section;
  EXPECT_TRUE(has(second.section, "<dd>2,016; 2,016 of them have their label, 0 were given up</dd>")) << second.section;
  EXPECT_TRUE(has(last.section, "<strong>Fewer labels come than usual")) << last.section;
  EXPECT_FALSE(has(second.section, "What has changed"));
  EXPECT_TRUE(last.trouble);
  EXPECT_TRUE(has(last.section, "the model is expected to lose")) << last.section;
  EXPECT_TRUE(has(last.section, "; a constant answer 0.6"));
  EXPECT_TRUE(has(last.section, "312 rounds, the oldest since 2026-11-26 22:00")) << last.section;
}

TEST(ModelSection, ShowsWhatAModelThatChoosesEarnedBesideSimpleRules) {
  hosting::HostedModel model("menu", ModelSpec::parse(R"({"task": "choose", "actions": ["ice", "s<p"]})").json());
  Watch watch;
  WatchedModel watched;
  std::int64_t now = kReportFirst;
  const auto apply = [&](Event event) {
    const hosting::Apply entry{.incarnation = 1, .at_ms = now += 1000, .event = std::move(event)};
    const hosting::Folded folded = model.apply(entry, 1);
    watch.folded(watched, {model, entry.event, folded, 0.001, now});
    return folded;
  };
  const auto section = [&] { return model_section(model, watched, {kReportFirst, now + 1, now}).section; };
  EXPECT_TRUE(has(section(), "No round yet whose wait is over"));
  for (int i = 0; i < 300; ++i) {
    const hosting::Folded chosen = apply(Play{.choosing = Choosing{}});
    apply(Label{chosen.round, chosen.reply->choice->action == "ice" ? 1.0 : 0.0});
  }
  const std::string shown = section();
  EXPECT_TRUE(has(shown, "<th scope=\"row\">as shown</th>")) << shown;
  EXPECT_TRUE(has(shown, "<th scope=\"row\">any action alike</th>")) << shown;
  EXPECT_TRUE(has(shown, "always s&lt;p")) << shown;
  EXPECT_LT(shown.find("always ice"), shown.find("always s&lt;p")) << shown;  // the best first
  EXPECT_TRUE(
      has(shown, "Mean rewards of the 300 rounds, since the model was made, whose wait is over. Exploration gives up "))
      << shown;
  EXPECT_TRUE(has(shown, " Taken in the last day: ")) << shown;
}

TEST(ReportWords, AreShortAndSafe) {
  EXPECT_EQ(count_text(1234567), "1,234,567");
  EXPECT_EQ(count_text(123), "123");
  EXPECT_EQ(number_text(0.123456), "0.1235");
  EXPECT_EQ(number_text(std::nan("")), "–");
  EXPECT_EQ(day_and_time(kReportFirst + 3'660'000), "2026-11-07 01:01");
  EXPECT_EQ(wait_words(7'300'000), "2 hours");
  EXPECT_EQ(wait_words(3.24 * 3'600'000), "3.2 hours");
  EXPECT_EQ(wait_words(123.4 * kReportDay), "123 days");
  EXPECT_EQ(html_text("5 % of a %"), "5&nbsp;% of a %");
  EXPECT_EQ(html_text("<a href=\"&\">"), "&lt;a href=&quot;&amp;&quot;&gt;");
}

}  // namespace
}  // namespace tarry::service
