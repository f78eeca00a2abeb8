#include "tarry/service/watch/kept_watch.h"

#include <gtest/gtest.h>

#include "tarry/base/bytes.h"
#include "tarry/base/kept_fields.h"
#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/store/disk/kept_file.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kKeptFirst = 1'794'000'000'000;

// A model whose labels come ten rounds later, watched.
void live(Watch& watch, WatchedModel& watched, const char* spec = R"({"task": "binary"})") {
  hosting::HostedModel model("m", ModelSpec::parse(spec).json());
  RandomSequence draw(4);
  const auto apply = [&](Event event, std::int64_t now) {
    const hosting::Apply entry{.incarnation = 1, .at_ms = now, .event = std::move(event)};
    const hosting::Folded folded = model.apply(entry, 1);
    watch.folded(watched, {model, entry.event, folded, 0.001, now});
    return folded.round;
  };
  for (Round t = 1; t <= 400; ++t) {
    const std::int64_t now = kKeptFirst + static_cast<std::int64_t>(t) * 7'000;
    apply(Play{Features(NamedFeatures{{"x", draw.uniform()}, {"city", std::string("Paris")}}), {}}, now);
    if (t > 10) apply(Label{t - 10, draw.uniform() < 0.5}, now);
    Watch::gauge(watched, now, 10, 70'000, 0);
  }
}

std::string view_of(WatchedModel& watched) {
  std::string out;
  watched.quality.append(out, kKeptFirst + 3'000'000, {});
  watched.drift.append(out);
  for (std::size_t k = 0; k < kRanges.size(); ++k)
    for (const Step& step : watched.timeline.steps(k)) append_point(out, step, kRanges[k].step_ms);
  append_counts(out, watched.delays);
  return out;
}

TEST(KeptWatch, HasTheSameHistoryAfterwards) {
  Watch watch, again;
  WatchedModel watched, restored;
  live(watch, watched);
  const std::string bytes = kept_bytes(watched);
  ASSERT_TRUE(keep_on(restored, bytes));
  EXPECT_EQ(view_of(restored), view_of(watched));
  EXPECT_GT(restored.labels, 0u);
  EXPECT_EQ(kept_bytes(restored), bytes);
  ASSERT_TRUE(again.keep_on(watch.kept_bytes()));
  EXPECT_EQ(again.kept_bytes(), watch.kept_bytes());
  EXPECT_LT(bytes.size(), 60'000u);
}

TEST(KeptWatch, DamagedBytesLeaveItEmpty) {
  Watch watch;
  WatchedModel watched;
  live(watch, watched);
  const std::string bytes = kept_bytes(watched);
  WatchedModel empty;
  const std::string nothing = view_of(empty);
  for (const std::size_t length : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
    EXPECT_FALSE(keep_on(empty, bytes.substr(0, length)));
    EXPECT_EQ(view_of(empty), nothing);
  }
  EXPECT_FALSE(keep_on(empty, "\x05" + bytes.substr(1)));  // of a form to come
  RandomSequence draw(8);
  for (int k = 0; k < 300; ++k) {  // a checksum stands before this; it must not crash without it
    std::string damaged = bytes;
    damaged[draw.below(bytes.size())] ^= static_cast<char>(1 + draw.below(255));
    WatchedModel some;
    if (keep_on(some, damaged)) view_of(some);
  }
}

// What kept_bytes() of an earlier form lacks at its end.
std::string kept_in_form(WatchedModel& watched, char form) {
  std::string bytes = kept_bytes(watched);
  ByteWriter later;
  FieldsOut fields(later);
  if (form == 1) {
    fields(watched.weeks);
    watched.quality.later_fields(fields);
    fields(watched.marks);
  }
  if (form <= 2) {
    watched.quality.part_fields(fields);
    fields(watched.beside);
  }
  watched.quality.trouble_fields(fields);
  fields(watched.before);
  bytes.resize(bytes.size() - later.take().size());
  bytes[0] = form;
  return bytes;
}

TEST(KeptWatch, HistoryWithoutWeeksIsStillRead) {
  Watch watch;
  WatchedModel watched, restored;
  live(watch, watched);
  ASSERT_EQ(watched.weeks.quarters().size(), 1u);
  ASSERT_TRUE(keep_on(restored, kept_in_form(watched, 1)));
  EXPECT_TRUE(restored.weeks.quarters().empty());
  EXPECT_EQ(restored.labels, watched.labels);
  const std::int64_t now = kKeptFirst + 3'000'000;
  EXPECT_EQ(restored.quality.maturing().lately(now).labels, watched.quality.maturing().lately(now).labels);
}

TEST(KeptWatch, HistoryWithoutPartsOfSpansIsStillRead) {
  Watch watch;
  WatchedModel watched, restored;
  live(watch, watched);
  ASSERT_TRUE(keep_on(restored, kept_in_form(watched, 2)));
  EXPECT_EQ(restored.weeks.quarters().size(), watched.weeks.quarters().size());
  EXPECT_EQ(restored.labels, watched.labels);
  const std::int64_t now = kKeptFirst + 3'000'000;
  EXPECT_EQ(restored.quality.maturing().lately(now).labels, watched.quality.maturing().lately(now).labels);
}

TEST(KeptWatch, HistoryWithoutTroublesIsStillRead) {
  Watch watch;
  WatchedModel watched, restored;
  live(watch, watched);
  ASSERT_TRUE(keep_on(restored, kept_in_form(watched, 3)));
  EXPECT_EQ(view_of(restored), view_of(watched));
}

TEST(KeptFile, IsThereWholeOrNotAtAll) {
  const std::string bytes = store::kept_file_bytes("history");
  EXPECT_EQ(store::read_kept_bytes(bytes), "history");
  for (std::size_t length = 0; length < bytes.size(); ++length)
    EXPECT_FALSE(store::read_kept_bytes(bytes.substr(0, length))) << length;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string damaged = bytes;
    damaged[at] ^= 4;
    EXPECT_FALSE(store::read_kept_bytes(damaged)) << at;
  }
}

}  // namespace
}  // namespace tarry::service
