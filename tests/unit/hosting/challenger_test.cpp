// Challengers in the fold: the same rounds, no harm to the champion, and promotion that replays to the bit.
#include "tarry/hosting/challenger.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tarry/base/error.h"
#include "tarry/base/random.h"
#include "tarry/base/sha256.h"
#include "tarry/hosting/challenger_spec.h"
#include "tarry/hosting/models.h"
#include "tarry/spec/json.h"

namespace tarry::hosting {
namespace {

const char* const kBinary = R"({"task": "binary", "features": {"capacity": 8}})";

class Challengers : public testing::Test {
 protected:
  Challengers() { begin(kBinary); }

  void begin(const std::string& spec) {
    entries_.clear();
    models_ = Models();
    add(Opened{.epoch = 11, .at_ms = 100});
    add(Create{.name = "m", .spec = ModelSpec::parse(spec).json(), .at_ms = 100});
  }
  [[gnu::noinline]] std::optional<Folded> add(Entry entry) {
    entries_.push_back(std::move(entry));
    return models_.apply(entries_.size(), entries_.back());
  }
  Folded add(Event event) { return *add(Entry(Apply{.incarnation = 2, .at_ms = 200, .event = std::move(event)})); }
  static Play a_play(std::uint64_t t, const std::string& key = {}) {
    const Random random(3);
    return {.features = NamedFeatures{{"a", random.gaussian(2 * t)}, {"b", random.gaussian(2 * t + 1)}}, .key = key};
  }
  static bool a_label(std::uint64_t t) {
    const Random random(3);
    const double z = 2 * random.gaussian(2 * t) * random.gaussian(2 * t + 1) + random.gaussian(2 * t);
    return z + 0.5 * random.gaussian(1'000'000 + t) > 0;
  }
  // Plays rounds; labels come `late` rounds later, some rounds are given up or void.
  void play(Round rounds, Round late = 3) {
    for (Round i = 0; i < rounds; ++i) {
      const Round round = model().model().ledger().issued() + 1;
      add(a_play(round, "k" + std::to_string(round)));
      if (round <= late) continue;
      const Round then = round - late;
      if (then % 11 == 0)
        add(Expire{then});
      else if (then % 13 == 0)
        add(Void{then});
      else
        add(Label{then % 2 == 0 ? RoundName(then) : RoundName("k" + std::to_string(then)), a_label(then)});
    }
  }
  void challenge(const std::string& name, const std::string& given) {
    const ModelSpec spec = challenger_spec(model().model(), spec::parse_json(given));
    add(Challenge{.incarnation = 2, .at_ms = 200, .challenger = name, .spec = spec.json()});
  }
  void promote(const std::string& name) { add(Promote{.incarnation = 2, .at_ms = 200, .challenger = name}); }
  const HostedModel& model() const { return *models_.find("m"); }
  const Challenger& challenger(const std::string& name) const { return *model().find_challenger(name); }

  static std::string saved(const Models& models) {
    ByteWriter out;
    models.save(out);
    return out.take();
  }
  static std::string digest(const Models& models) { return sha256(saved(models)); }
  // All entries again, in one fold and in one that is saved and loaded at `break_at`.
  void expect_replays(Position break_at) const {
    Models again, broken;
    for (Position at = 1; at <= entries_.size(); ++at) {
      const Entry read = entry_from_bytes(entry_bytes(entries_[at - 1]));
      again.apply(at, read);
      broken.apply(at, read);
      if (at != break_at) continue;
      const std::string bytes = saved(broken);
      ByteReader in(bytes);
      Models loaded;
      loaded.load(in);
      in.expect_end();
      EXPECT_EQ(digest(loaded), sha256(bytes));
      broken = std::move(loaded);
    }
    EXPECT_EQ(digest(again), digest(models_));
    EXPECT_EQ(digest(broken), digest(models_));
  }

  Models models_;
  std::vector<Entry> entries_;
};

RoundName keyed(const std::string& key) { return {key}; }

std::string rest_of(const Model& model) {
  std::string all;
  for (const std::string& piece : model.freeze().rest) all += piece;
  return all;
}

TEST_F(Challengers, AreWhatAModelIsThatWasToldTheSameFromThenOn) {
  play(40, 20);
  challenge("plain", R"({"products": false})");
  Model alone = make_model(ModelSpec::parse(challenger("plain").spec()));
  const std::size_t from = entries_.size();
  play(260, 20);  // late enough that ages of open rounds tell
  const Round first = 41;
  for (std::size_t i = from; i < entries_.size(); ++i) {
    const Event& event = std::get<Apply>(entries_[i]).event;
    if (const auto* play = std::get_if<Play>(&event)) {
      Play mine = *play;
      mine.key.clear();
      alone.apply(mine);
      continue;
    }
    const auto own = [&](const RoundName& name) {
      const Round round = name.number > 0 ? name.number : std::stoull(name.key.substr(1));
      return round < first ? Round{0} : round - first + 1;
    };
    const auto pass = [&](auto e) {
      const Round round = own(e.round);
      if (round == 0) return;
      e.round = RoundName(round);
      EXPECT_EQ(alone.apply(e).answer, Answer::kApplied);
    };
    if (const auto* label = std::get_if<Label>(&event)) pass(*label);
    if (const auto* expire = std::get_if<Expire>(&event)) pass(*expire);
    if (const auto* none = std::get_if<Void>(&event)) pass(*none);
  }
  const Model& shadow = *challenger("plain").model();
  EXPECT_EQ(shadow.spec(), alone.spec());
  EXPECT_EQ(sha256(rest_of(shadow)),
            sha256(rest_of(alone)));  // learner, features, labels: all but the numbers of rounds
  EXPECT_EQ(shadow.ledger().settled(), alone.ledger().settled());
  EXPECT_EQ(shadow.ledger().outstanding(), alone.ledger().outstanding());
  EXPECT_EQ(shadow.ledger().issued(), model().model().ledger().issued());
  EXPECT_EQ(shadow.certificate(), alone.certificate());
  const Features x = NamedFeatures{{"a", 0.3}, {"b", -1.0}};
  EXPECT_EQ(shadow.predict(x).prediction, alone.predict(x).prediction);
}

TEST_F(Challengers, DoNotTouchTheChampion) {
  play(20);
  challenge("one", R"({"products": false})");
  challenge("two", R"({"learner": {"type": "delayed_ogd", "eta": 0.1}, "bends": false})");
  play(150);
  const std::string with = model().model().hash();
  const Folded last = add(a_play(1));
  begin(kBinary);
  play(170);
  EXPECT_EQ(model().model().hash(), with);
  EXPECT_EQ(add(a_play(1)).reply, last.reply);
}

TEST_F(Challengers, ThatAreAloneLeaveASavedModelAsItWas) {
  play(20);
  const std::string before = saved(models_);
  challenge("one", R"({"products": false})");
  add(Dismiss{.incarnation = 2, .at_ms = 200, .challenger = "one"});
  EXPECT_EQ(saved(models_).size(), before.size());
}

TEST_F(Challengers, PromotedReplayToTheBit) {
  play(30);
  challenge("plain", R"({"products": false})");
  challenge("other", R"({"learner": {"type": "delayed_ogd", "eta": 0.1}})");
  play(140);
  const std::size_t before = entries_.size();
  promote("plain");
  EXPECT_EQ(model().champion(), "plain");
  EXPECT_EQ(challenger("original").spec(), ModelSpec::parse(kBinary).json());
  EXPECT_EQ(model().first_spec(), ModelSpec::parse(kBinary).json());
  play(150);
  promote("original");
  play(20);
  promote("other");
  play(20);
  for (const Position at : {before - 1, before, before + 1, before + 40}) expect_replays(at);
}

TEST_F(Challengers, PromotedAnswerRoundsThatAreOpen) {
  play(30, 10);
  challenge("plain", R"({"products": false})");
  play(20, 10);  // rounds 41 to 50 wait, all of them played by both
  const auto reply = *add(a_play(51, "again")).reply;
  promote("plain");
  EXPECT_EQ(model().epoch_of(45), 11u);
  EXPECT_EQ(model().model().ledger().outstanding(), 11u);
  const Folded repeated = add(a_play(51, "again"));
  EXPECT_EQ(repeated.fate, Fate::kDuplicate);
  EXPECT_EQ(repeated.reply->prediction, reply.prediction);  // what was answered first, by the model before
  const std::uint64_t learnt = model().model().ledger().settled();
  EXPECT_EQ(add(Label{keyed("again"), true}).fate, Fate::kApplied);
  EXPECT_EQ(model().model().ledger().settled(), learnt + 1);
  EXPECT_EQ(add(Label{keyed("again"), true}).fate, Fate::kDuplicate);
  EXPECT_EQ(add(Label{keyed("again"), false}).fate, Fate::kConflict);
  EXPECT_EQ(add(Label{Round{5}, !a_label(5)}).fate, Fate::kConflict);  // of long before
  EXPECT_EQ(add(Label{Round{5}, a_label(5)}).fate, Fate::kDuplicate);
  EXPECT_EQ(add(Label{Round{99}, true}).fate, Fate::kUnknown);
}

TEST_F(Challengers, PromotedLetTheFormerModelAnswerWhatTheyNeverPlayed) {
  play(20, 10);
  challenge("plain", R"({"products": false})");
  play(2, 10);  // rounds 13 to 22 wait; the challenger has played two of them
  promote("plain");
  EXPECT_EQ(model().model().ledger().outstanding(), 2u);
  const std::uint64_t learnt = challenger("original").model()->ledger().settled();
  const Folded folded = add(Label{keyed("k15"), a_label(15)});
  EXPECT_EQ(folded.fate, Fate::kApplied);
  EXPECT_TRUE(folded.stray);
  EXPECT_GT(folded.loss, 0);
  EXPECT_EQ(folded.issued_ms, 200);
  EXPECT_EQ(challenger("original").model()->ledger().settled(), learnt + 1);
  EXPECT_EQ(add(Label{keyed("k15"), a_label(15)}).fate, Fate::kDuplicate);
  EXPECT_EQ(add(Label{keyed("k15"), !a_label(15)}).fate, Fate::kConflict);
  EXPECT_THROW(add(Label{keyed("k16"), LabelValue(std::string("perhaps"))}), Error);
  EXPECT_EQ(add(Label{keyed("k16"), true}).fate, Fate::kApplied);
  EXPECT_EQ(add(Expire{Round{17}}).fate, Fate::kApplied);
  EXPECT_EQ(model().waiting_since_before(1000, 100).size(), 7u);
  promote("original");
  EXPECT_EQ(model().model().ledger().outstanding(), 7u);
  EXPECT_FALSE(add(Label{Round{18}, true}).stray);
  promote("plain");
  add(Dismiss{.incarnation = 2, .at_ms = 200, .challenger = "original"});
  const Folded alone = add(Label{Round{19}, true});
  EXPECT_EQ(alone.fate, Fate::kApplied);
  EXPECT_TRUE(alone.stray && std::isnan(alone.loss));
  play(20, 10);
}

TEST_F(Challengers, AreComparedInTheOrderOfRoundsAndNotOfLabels) {
  challenge("plain", R"({"products": false})");
  play(400);
  const Trial& trial = challenger("plain").trial();
  EXPECT_GT(trial.from, 100u);
  EXPECT_EQ(trial.front, 398u);  // the last three wait
  EXPECT_EQ(trial.left_out, (397 / 11 + 397 / 13 - 397 / 143) - ((trial.from - 1) / 11 + (trial.from - 1) / 13));
  const std::uint64_t pairs = trial.losses.pairs();
  for (int i = 0; i < 10; ++i) add(a_play(500));
  for (Round round = 402; round <= 410; ++round) add(Label{round, true});
  EXPECT_EQ(challenger("plain").trial().losses.pairs(), pairs);  // an older one is awaited
  EXPECT_EQ(challenger("plain").trial().ahead.size(), 9u);
  for (Round round = 398; round <= 401; ++round) add(Label{round, true});
  EXPECT_EQ(challenger("plain").trial().losses.pairs(), pairs + 13);
  EXPECT_TRUE(challenger("plain").trial().ahead.empty());
}

TEST_F(Challengers, DoNotWaitForeverForALabel) {
  challenge("plain", R"({"products": false})");
  play(300);
  add(a_play(1));
  const Round lost = 301;
  for (int i = 0; i < 60; ++i) {
    const Round round = model().model().ledger().issued() + 1;
    add(a_play(round));
    add(Label{round, a_label(round)});
  }
  EXPECT_GT(challenger("plain").trial().front, lost);
  const std::uint64_t late = challenger("plain").trial().late;
  EXPECT_EQ(add(Label{lost, true}).fate, Fate::kApplied);
  EXPECT_EQ(challenger("plain").trial().late, late + 1);
}

TEST_F(Challengers, AreToldFromTheChampionOnceTheIntervalAllows) {
  challenge("worse", R"({"learner": {"type": "delayed_ogd", "eta": 1e-9}})");
  EXPECT_EQ(challenger("worse").verdict(), Verdict::kTooEarly);
  play(100);
  EXPECT_EQ(challenger("worse").verdict(), Verdict::kTooEarly);
  play(100);
  EXPECT_EQ(challenger("worse").verdict(), Verdict::kUnclear);
  play(2500);
  EXPECT_EQ(challenger("worse").verdict(), Verdict::kWorse);
  promote("worse");
  EXPECT_EQ(challenger("original").verdict(), Verdict::kTooEarly);
  play(2500);
  EXPECT_EQ(challenger("original").verdict(), Verdict::kBetter);
}

TEST_F(Challengers, ThatFailDoNoHarm) {
  begin(R"({"set": {"type": "l2_ball", "dimension": 2, "radius": 1}, "learner": {"type": "delayed_ogd", "eta": 0.1},
            "loss": {"type": "squared"}})");
  challenge("wider", R"({"set": {"type": "l2_ball", "dimension": 3, "radius": 1},
                         "learner": {"type": "delayed_ogd", "eta": 0.1}, "loss": {"type": "squared"}})");
  EXPECT_EQ(add(Play{.features = Vec{1, 0.5}}).fate, Fate::kApplied);
  EXPECT_EQ(challenger("wider").verdict(), Verdict::kFailed);
  EXPECT_EQ(challenger("wider").failure().find("round 1: "), 0u) << challenger("wider").failure();
  EXPECT_EQ(add(Label{Round{1}, 0.5}).fate, Fate::kApplied);
  EXPECT_THROW(models_.find("m")->promote({.incarnation = 2, .at_ms = 200, .challenger = "wider"}), Error);
  expect_replays(entries_.size() - 1);
}

std::string refused(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST_F(Challengers, AreRefusedInOneLineThatChangesNothing) {
  play(5);
  challenge("one", R"({"products": false})");
  const auto told = [&](const std::string& name, const std::string& given) {
    const std::string before = saved(models_);
    const std::string why = refused([&] { challenge(name, given); });
    EXPECT_EQ(saved(models_).size(), before.size()) << why;
    EXPECT_EQ(why.find('\n'), std::string::npos);
    return why;
  };
  EXPECT_EQ(told("one", R"({"bends": false})"), "the model m has a challenger named one already");
  EXPECT_EQ(told("original", R"({"bends": false})"), "original is what the model itself is called: take another name");
  EXPECT_EQ(told("Not A Name", R"({"bends": false})"), "a challenger's name must be 1 to 64 of a-z, 0-9, _ and -");
  EXPECT_EQ(told("x", "{}"), R"(challenger: say what is to be different, such as {"products": false})");
  EXPECT_EQ(told("x", "[1]"),
            "challenger: must be an object: a specification, or keys that are to be different ([1] came)");
  EXPECT_EQ(told("x", R"({"task": "regression"})"),
            R"(challenger: loss must be the model's, {"type": "logistic"} ({"type": "squared"} came))");
  EXPECT_EQ(told("x", R"({"expiry": {"seconds": 5}})").find("challenger: expiry must be the model's, none ("), 0u);
  EXPECT_NE(told("x", R"({"prodcts": 0})"), "");
  for (const char* name : {"two", "three", "four"}) challenge(name, R"({"bends": false})");
  EXPECT_EQ(told("five", R"({"bends": false})"), "a model may have 4 challengers: remove one");
  EXPECT_EQ(refused([&] { promote("nobody"); }), "the model m has no challenger named nobody");
  EXPECT_EQ(refused([&] { add(Dismiss{.incarnation = 2, .at_ms = 200, .challenger = "nobody"}); }),
            "the model m has no challenger named nobody");
  EXPECT_EQ(model().champion(), "original");
}

TEST_F(Challengers, AreNotForEveryModel) {
  const auto told = [&](const std::string& champion, const std::string& given) {
    begin(champion);
    return refused([&] { challenge("x", given); });
  };
  EXPECT_EQ(told(R"({"set": {"type": "simplex", "dimension": 3}, "learner": {"type": "auto"}})",
                 R"({"learner": {"type": "delayed_ogd", "eta": 0.1}})"),
            "challenger: the model must have a loss: a gradient is one at the point that the model played");
  EXPECT_EQ(told(R"({"task": "binary", "revisable": {"rounds": 10}})", R"({"products": false})"),
            "challenger: not of a model whose labels can be corrected");
  EXPECT_NE(told(R"({"task": "binary", "expiry": {"rounds": 10, "then": {"label": false}}})", R"({"products": false})"),
            "");
  EXPECT_EQ(
      told(R"({"task": "binary", "expiry": {"seconds": 10, "then": {"label": false}}})", R"({"products": false})"), "");
  EXPECT_EQ(told(R"({"task": "classes", "classes": 3, "products": 4, "features": {"capacity": 8}})",
                 R"({"products": false})"),
            "");
}

TEST_F(Challengers, ASpecificationFollowsItsTask) {
  const auto spec = [&](const std::string& given) {
    return challenger_spec(model().model(), spec::parse_json(given)).json();
  };
  const auto whole = [](const std::string& json) { return ModelSpec::parse(json).json(); };
  EXPECT_EQ(spec(R"({"products": false})"),
            whole(R"({"task": "binary", "features": {"capacity": 8}, "products": 0, "bends": 8})"));
  EXPECT_EQ(spec(R"({"products": 3, "bends": false})"),
            whole(R"({"task": "binary", "features": {"capacity": 8}, "products": 3, "bends": 0, "trees": true})"));
  EXPECT_EQ(spec(R"({"learner": {"type": "adagrad"}})"),
            whole(R"({"task": "binary", "features": {"capacity": 8}, "learner": {"type": "adagrad"}, "products": 8,
                      "bends": 8})"));
  EXPECT_EQ(spec(R"({"task": "binary", "features": {"capacity": 4}})"),
            whole(R"({"task": "binary", "features": {"capacity": 4}})"));
  begin(R"({"task": "classes", "classes": ["a", "b", "c"], "features": {"capacity": 8}, "products": 4})");
  EXPECT_EQ(spec(R"({"products": false})"),
            whole(R"({"task": "classes", "classes": ["a", "b", "c"], "features": {"capacity": 8}, "products": 0,
                      "bends": 4})"));
}

TEST_F(Challengers, CountClassesAsTheChampionDoes) {
  begin(R"({"task": "classes", "classes": 4, "features": {"capacity": 8}, "products": 0})");
  const auto round = [&](const std::string& label) {
    const Folded folded = add(a_play(1, "r" + std::to_string(model().model().ledger().issued() + 1)));
    add(Label{folded.round, LabelValue(label)});
  };
  for (const char* name : {"x", "y", "z"}) round(name);
  challenge("other", R"({"learner": {"type": "delayed_ogd", "eta": 0.1}})");
  for (const char* name : {"z", "y", "w", "x"}) round(name);
  EXPECT_EQ(challenger("other").model()->class_names(), model().model().class_names());
  const auto first = add(a_play(1, "r7"));
  promote("other");
  EXPECT_EQ(add(a_play(1, "r7")).reply->prediction, first.reply->prediction);
  expect_replays(entries_.size() - 2);
}

}  // namespace
}  // namespace tarry::hosting
