#include "tarry/hosting/models.h"

#include <gtest/gtest.h>

#include <utility>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/settled_digests.h"
#include "tarry/model/snapshot.h"

namespace tarry::hosting {
namespace {

const char* const kBall = R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1},
  "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}})";

class Fold : public testing::Test {
 protected:
  Fold() {
    add(Opened{.epoch = 11, .at_ms = 100});
    add(Create{.name = "m", .spec = kBall, .at_ms = 100});
  }

  // Not inline: GCC 12 sees an uninitialised member in the copy of another alternative.
  [[gnu::noinline]] std::optional<Folded> add(Entry entry) {
    entries_.push_back(std::move(entry));
    return models_.apply(entries_.size(), entries_.back());
  }
  Folded add(Event event, std::optional<Once> once = std::nullopt, std::int64_t at_ms = 200) {
    return *add(Entry(Apply{.incarnation = 2, .at_ms = at_ms, .once = std::move(once), .event = std::move(event)}));
  }
  Folded play(std::optional<Once> once = std::nullopt, std::int64_t at_ms = 200) {
    return add(Play{.features = Vec{1, 0.5}}, std::move(once), at_ms);
  }
  const HostedModel& model() const { return *models_.find("m"); }

  static std::string saved(const Models& models) {
    ByteWriter out;
    models.save(out);
    return out.take();
  }
  static Models loaded(const std::string& bytes) {
    Models models;
    ByteReader in(bytes);
    models.load(in);
    in.expect_end();
    return models;
  }

  Models models_;
  std::vector<Entry> entries_;
};

TEST_F(Fold, NamesAModelByThePositionOfItsCreation) {
  EXPECT_EQ(model().incarnation(), 2u);
  EXPECT_EQ(models_.find(Position{2}), models_.find("m"));
  EXPECT_EQ(models_.find("other"), nullptr);
}

TEST_F(Fold, AnswersAPlayThatIsSentAgainAsTheFirstTime) {
  const Once once{.key = "k", .digest = 5};
  const Folded first = play(once);
  EXPECT_EQ(first.fate, Fate::kApplied);
  add(Label{Round{1}, 3.0});  // the same features would get another prediction now
  const Folded again = play(once);
  EXPECT_EQ(again.fate, Fate::kDuplicate);
  EXPECT_EQ(again.reply, first.reply);
  EXPECT_EQ(model().model().ledger().issued(), 1u);
  EXPECT_EQ(play(Once{.key = "k", .digest = 6}).fate, Fate::kConflict);
  EXPECT_EQ(play(Once{.key = "other", .digest = 6}).fate, Fate::kApplied);
}

TEST_F(Fold, GoesOnWithABatchThatWasCutShort) {
  EXPECT_EQ(play(Once{.key = "k", .digest = 5, .index = 0}).fate, Fate::kApplied);
  EXPECT_EQ(play(Once{.key = "k", .digest = 5, .index = 0}).fate, Fate::kDuplicate);
  EXPECT_EQ(play(Once{.key = "k", .digest = 5, .index = 1}).fate, Fate::kApplied);
  EXPECT_EQ(play(Once{.key = "k", .digest = 5, .index = 1}).round, 2u);
}

TEST_F(Fold, TellsARepeatedLabelFromAContradiction) {
  play();
  EXPECT_EQ(add(Label{Round{1}, 3.0}).fate, Fate::kApplied);
  const std::string hash = model().model().hash();
  EXPECT_EQ(add(Label{Round{1}, 3.0}).fate, Fate::kDuplicate);
  EXPECT_EQ(add(Label{Round{1}, 4.0}).fate, Fate::kConflict);
  EXPECT_EQ(add(Void{Round{1}}).fate, Fate::kConflict);
  EXPECT_EQ(add(Label{Round{2}, 3.0}).fate, Fate::kUnknown);
  EXPECT_EQ(model().model().hash(), hash);
}

TEST_F(Fold, TellsVoidFromExpired) {
  play();
  play();
  EXPECT_EQ(add(Void{Round{1}}).fate, Fate::kApplied);
  EXPECT_EQ(add(Void{Round{1}}).fate, Fate::kDuplicate);
  EXPECT_EQ(add(Label{Round{1}, 1.0}).fate, Fate::kConflict);
  EXPECT_EQ(add(Expire{Round{2}}).fate, Fate::kApplied);
  EXPECT_EQ(add(Label{Round{2}, 1.0}).fate, Fate::kExpired);
}

TEST_F(Fold, KnowsTheEpochOfEachRound) {
  play();
  add(Entry(Opened{.epoch = 22, .at_ms = 300}));
  EXPECT_EQ(model().epoch_of(1), 11u);
  EXPECT_EQ(model().epoch_of(2), std::nullopt);
  play();
  EXPECT_EQ(model().epoch_of(1), 11u);
  EXPECT_EQ(model().epoch_of(2), 22u);
  EXPECT_EQ(model().epoch_of(0), std::nullopt);
  EXPECT_EQ(loaded(saved(models_)).find("m")->epoch_of(2), 22u);
}

TEST_F(Fold, KnowsWhoHasWaitedSinceWhen) {
  for (std::int64_t at = 1; at <= 4; ++at) play(std::nullopt, at * 1000);
  add(Label{Round{1}, 1.0});
  add(Label{Round{3}, 1.0});
  EXPECT_EQ(model().oldest_since_ms(), 2000);
  EXPECT_EQ(model().waiting_since_before(4000, 9), (std::vector<Round>{2}));
  EXPECT_EQ(model().waiting_since_before(9000, 9), (std::vector<Round>{2, 4}));
  EXPECT_EQ(model().waiting_since_before(9000, 1), (std::vector<Round>{2}));
}

TEST_F(Fold, GoesOnFromTheStateThatACreationBrings) {
  play();
  play();
  add(Label{Round{1}, 0.5});
  const std::string state = snapshot_bytes(model().model());
  const std::string spec = ModelSpec::parse(kBall).json();
  add(Create{.name = "copy", .spec = spec, .at_ms = 700, .state = state});
  const ModelPointer copy = models_.find("copy");
  EXPECT_EQ(copy->model().hash(), model().model().hash());
  EXPECT_EQ(copy->oldest_since_ms(), 700);  // nobody knows here when it was played
  EXPECT_EQ(copy->epoch_of(2), std::nullopt);
  const Position incarnation = copy->incarnation();
  const auto folded = add(Entry(Apply{.incarnation = incarnation, .at_ms = 800, .event = Label{Round{2}, 1.0}}));
  EXPECT_EQ(folded->fate, Fate::kApplied);
  EXPECT_EQ(loaded(saved(models_)).find("copy")->model().hash(), copy->model().hash());
  EXPECT_THROW(add(Create{.name = "other", .spec = spec, .state = state.substr(0, 30)}), Error);
}

TEST_F(Fold, ForgetsADeletedModelAndItsName) {
  play();
  add(Entry(Delete{.incarnation = 2}));
  EXPECT_EQ(models_.find("m"), nullptr);
  const Apply late{.incarnation = 2, .event = Void{Round{1}}};
  EXPECT_FALSE(add(entry_from_bytes(entry_bytes(late))).has_value());
  const Position next = entries_.size() + 1;
  add(Entry(Create{.name = "m", .spec = kBall}));
  EXPECT_EQ(model().incarnation(), next);
  EXPECT_EQ(model().model().ledger().issued(), 0u);
}

TEST_F(Fold, AnEventThatCannotBeAppliedChangesNothingButThePosition) {
  play();
  const std::string hash = model().model().hash();
  EXPECT_THROW(add(Label{Round{1}, std::string("cat")}), Error);
  EXPECT_EQ(model().model().hash(), hash);
  EXPECT_EQ(model().position(), entries_.size());
}

TEST_F(Fold, SavedAnywhereContinuesToTheSameBytes) {
  for (int i = 0; i < 20; ++i) {
    play(i % 3 == 0 ? std::optional<Once>(Once{.key = std::to_string(i), .digest = 1}) : std::nullopt, 1000 + i);
    if (i % 2 == 1) add(Label{Round(i), 0.25 * i});
    if (i % 7 == 0) add(Void{Round(i + 1)});
    if (i == 10) add(Entry(Opened{.epoch = 33, .at_ms = 5000}));
  }
  const std::string whole = saved(models_);
  for (std::size_t cut = 0; cut <= entries_.size(); cut += 5) {
    Models first;
    for (std::size_t i = 0; i < cut; ++i) first.apply(i + 1, entries_[i]);
    Models second = loaded(saved(first));
    for (std::size_t i = 0; i < entries_.size(); ++i) second.apply(i + 1, entries_[i]);  // what it knows is dropped
    EXPECT_EQ(saved(second), whole) << cut;
    EXPECT_EQ(second.find("m")->model().hash(), model().model().hash());
  }
}

TEST_F(Fold, ASavedStateMayHoldModelsThatAreFurtherThanItself) {
  play();
  const std::string early = saved(models_);
  play();
  StateHead head = loaded(early).head();
  ByteWriter out, bytes;
  save_head(out, head);
  model().save(bytes);
  save_model(out, bytes.bytes());
  Models models = loaded(out.bytes());
  for (std::size_t i = 0; i < entries_.size(); ++i) models.apply(i + 1, entries_[i]);
  EXPECT_EQ(models.find("m")->model().hash(), model().model().hash());
}

TEST_F(Fold, ASavedStateThatIsCutShortIsRefused) {
  play(Once{.key = "k", .digest = 5});
  play();
  add(Label{Round{1}, 3.0});
  const std::string whole = saved(models_);
  for (std::size_t size = 0; size < whole.size(); ++size) EXPECT_THROW(loaded(whole.substr(0, size)), Error) << size;
}

TEST(Retries, KeepTheLastDecisionsWithinTheirBounds) {
  Retries memory({.decisions = 3, .bytes = 1000});
  for (int i = 0; i < 5; ++i) memory.answered(std::to_string(i), 0, {.index = 0, .round = Round(i + 1), .json = "{}"});
  EXPECT_EQ(memory.request("1"), nullptr);
  ASSERT_NE(memory.request("2"), nullptr);
  EXPECT_EQ(memory.request("2")->replies[0].round, 3u);
  memory.answered("long", 0, {.index = 0, .round = 9, .json = std::string(2000, 'x')});
  EXPECT_EQ(memory.requests(), 1u);
}

TEST(SettledDigests, KeepWhatTheLastRoundsWereTold) {
  SettledDigests memory(2);
  for (Round round = 1; round <= 3; ++round) memory.add(round, round * 10);
  memory.add(3, 99);  // a revision
  EXPECT_EQ(memory.find(1), std::nullopt);
  EXPECT_EQ(memory.find(2), 20u);
  EXPECT_EQ(memory.find(3), 99u);
}

TEST(SettledDigests, ForgetThoseThatCameFirstInWhateverOrder) {
  RandomSequence random(3, 1);
  for (const std::size_t remembered : {1, 2, 7, 100}) {
    SettledDigests memory(remembered);
    std::vector<Round> came;  // in order, as long as they are remembered
    Round next = 1;
    std::vector<Round> late;
    for (int i = 0; i < 500; ++i) {
      Round round = next++;
      if (random.below(3) == 0) late.push_back(std::exchange(round, next++));
      if (!late.empty() && random.below(4) == 0) {
        std::swap(late.back(), late[random.below(late.size())]);
        round = std::exchange(late.back(), round);
      }
      memory.add(round, round * 10);
      came.push_back(round);
      if (came.size() > remembered) {
        EXPECT_EQ(memory.find(came.front()), std::nullopt);
        came.erase(came.begin());
      }
      ASSERT_EQ(memory.size(), came.size());
    }
    ByteWriter wanted, written;
    wanted.u64(came.size());
    for (const Round round : came) {
      EXPECT_EQ(memory.find(round), round * 10);
      wanted.u64(round);
      wanted.u64(round * 10);
    }
    memory.save(written);
    const std::string bytes = written.take();
    EXPECT_EQ(bytes, wanted.take());
    ByteReader in(bytes);
    SettledDigests loaded(remembered);
    loaded.load(in);
    for (Round round = next; round < next + 3; ++round) {
      memory.add(round, 1);
      loaded.add(round, 1);
    }
    ByteWriter one, other;
    memory.save(one);
    loaded.save(other);
    EXPECT_EQ(one.take(), other.take());
  }
}

// A request is in flight while the log is not durable as far as it wrote; one out of a snapshot never is.
TEST(Retries, KnowHowFarARequestWasWritten) {
  Retries memory;
  memory.answered("k", 5, {.index = 0, .round = 1, .json = "{}"});
  memory.written("k", 7);
  memory.written("other", 8);
  EXPECT_EQ(memory.request("k")->written, 7u);
  const RetriesKept frozen = memory.kept();
  memory.written("k", 9);
  ByteWriter out;
  frozen.save(out);
  const std::string bytes = out.take();
  ByteReader in(bytes);
  Retries loaded;
  loaded.load(in);
  EXPECT_EQ(loaded.request("k")->written, 0u);
  EXPECT_EQ(memory.request("k")->written, 9u);
  EXPECT_EQ((**frozen.requests.first().value).written, 7u);
}

}  // namespace
}  // namespace tarry::hosting
