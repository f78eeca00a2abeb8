// A model is a set, a learner, perhaps a loss, what cares for its features and labels, and the ledger of what is
// outstanding. Model::apply is the one fold over events: simulation, replay, service and queue feed the same events
// into it. It is a pure state machine: no clock, no I/O. One thread at a time may change a model; any number may call
// its const members meanwhile as long as none does.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tarry/learners/any_learner.h"
#include "tarry/ledger/keys.h"
#include "tarry/ledger/ledger.h"
#include "tarry/ledger/settled_rounds.h"
#include "tarry/losses/loss.h"
#include "tarry/model/apprentice.h"
#include "tarry/model/choice.h"
#include "tarry/model/comparison.h"
#include "tarry/model/contributions.h"
#include "tarry/model/event.h"
#include "tarry/model/expiry.h"
#include "tarry/model/feature_care.h"
#include "tarry/model/frozen_model.h"
#include "tarry/model/label_reader.h"
#include "tarry/model/label_scale.h"
#include "tarry/model/revisable.h"
#include "tarry/sets/any_set.h"
#include "tarry/theory/seen.h"

namespace tarry {

// A model owns its learner and its ledger, and shares its set and its loss with others that have them. References that
// it gives (ledger(), learner(), features()) live as long as the model and change with it; what apply() gives is the
// caller's.
//
// What a model is put together from; make_model of model_spec.h does so from a specification.
struct ModelParts {
  AnySet set;
  AnyLearner learner;
  std::optional<AnyLoss> loss = std::nullopt;
  Index numbers = 0;  // of numbered features, the first so many are missing where a row lacks them; the others are 0
  bool standardise = false;  // features, and for losses of the error alone labels, in units of what was seen
  std::optional<AnyEncoder> encoder = std::nullopt;  // for named features
  Index products = 0;                                // of so many features, two by two, a row has products
  Index bends = 0;                                   // of so many features, numbers bend
  bool trees = false;                                // whether the learner grows trees
  LabelReader labels = {};
  std::vector<std::string> names = {};  // of the decision's coordinates
  Expiry expiry = {};
  Revisable revisable = {};
  Tracked tracked = {};                             // how many rounds may wait at once
  std::optional<ChoiceSpec> choice = std::nullopt;  // it chooses one of several actions
  std::string spec = {};  // what it was made from, in full, as JSON; empty: put together by hand
};

class Model {
 public:
  explicit Model(ModelParts parts);
  Model(AnySet set, AnyLearner learner, std::optional<AnyLoss> loss = std::nullopt)
      : Model(ModelParts{.set = std::move(set), .learner = std::move(learner), .loss = std::move(loss)}) {}

  struct Outcome {
    Answer answer;
    Round round = 0;        // the round played, or the one the feedback was for; 0: there is none
    double prediction = 0;  // of that round, where there are features: in the labels' units, or the likeliest class
    Vec scores = {};        // one for each class: what the loss reads
    double loss = 0;        // of that round, for a label that was applied
    Round expired = 0;      // how many rounds this play gave up
    std::vector<Round> untracked = {};  // rounds that this play drops, perhaps its own (ledger/tracking.h)
    bool revised = false;               // the label took the place of another one
    bool certain = false;               // of feedback that was not applied: the model knows what its round was told
    std::optional<Choice> choice = std::nullopt;  // of a play that chooses
  };

  // A prediction beside what came of it.
  struct Judged {
    double label = 0;       // as the loss takes it: a number, −1 or 1, or that of its class
    double prediction = 0;  // as in the outcome; −1 where no class had a name yet
    double loss = 0;        // as it is learnt; infinite for a class for which there is no room
    double shown = 0;       // as probabilities are shown: among the classes that have names, and its own
  };

  // Throws Error for an event that is wrong (kBadInput) or contradicts an earlier one (kConflict): nothing has changed
  // then.
  Outcome apply(const Event& event);

  // Takes up another model's history where that has come to: its rounds go on being counted, and it knows the classes
  // that have names there. What was played before is that model's affair. Only a new model can begin so.
  void begin_after(const Model& other);
  // Takes the place of another model that played the same rounds under keys: these pass to it, with the answers that
  // were given to them, and the other one has the keys of this one.
  void succeed(Model& other);

  // The same events without their owned data, for callers that have it at hand.
  Outcome play(const std::optional<FeaturesView>& features = std::nullopt, const std::string& key = {},
               const PlayTimes& times = {});
  // Draws one of the actions by what each is predicted to earn, and plays its row, or that of what was shown instead.
  // The draw is a function of the seed and the round.
  Outcome choose(const Choosing& asked, const std::string& key = {}, const PlayTimes& times = {});
  Outcome receive(const RoundName& round, const Covector& gradient);
  Outcome cost(const RoundName& round, double loss, const std::optional<double>& at_probe = std::nullopt);
  Outcome label(const RoundName& round, const LabelValue& label,
                const std::optional<FeaturesView>& features = std::nullopt, const Revising& revising = {},
                const std::optional<ShownLater>& shown = std::nullopt);
  // A play and its label, which is known at once: as one after the other, in less time. Gives what the play does. Where
  // the label throws, the round is void; one that cannot be a label leaves nothing behind.
  Outcome play_and_label(const FeaturesView& features, const LabelValue& label);
  Outcome expire(const RoundName& round);
  Outcome declare_void(const RoundName& round);

  // What a play with these features would predict now. Opens no round and changes nothing.
  Outcome predict(const FeaturesView& features) const;
  // The one way from a label to a number and a loss. `played` is what a play of this model answered, or anything else
  // that predicts what it does. Throws Error{kBadInput} for what cannot be a label, as apply does; `read` also refuses
  // a class for which there is no room. Neither counts a new class.
  Judged judge(const Outcome& played, const LabelValue& label) const;
  double read(const LabelValue& label) const;
  // What a label for a round that waits would be answered if these had come before it, for those who keep labels back:
  // throws Error as apply does. Nothing changes.
  Outcome foresee(Round round, std::span<const Label> before, const Label& label) const;
  // One form for all spellings of a label: "yes", "Y" and true are the same.
  LabelValue plain(const LabelValue& label) const { return labels_.plain(label); }
  // A prediction as people see it: the probability of true for a loss of margins that has one, otherwise itself.
  double shown(double prediction) const { return loss_ ? loss_->shown(prediction) : prediction; }
  // The probability of each class, from its scores; classes without a name yet are left out.
  Vec probabilities(const Vec& scores) const;

  // The decision of the last round played, in full.
  void write(std::span<double> x) const { learner_.write(x); }
  Vec decision() const;
  // A vertex drawn for the last round played, whose mean is the decision; of a flow its path alone. Throws
  // Error{kUnsupported} where the learner does not sample.
  bool samples() const { return learner_.samples(); }
  SparseVector sample() const;
  // The second point of the last round played, for learners that want the loss at two.
  bool probes() const { return learner_.probes(); }
  Vec probe() const { return learner_.probe(); }
  const std::vector<std::string>& names() const { return names_; }
  bool names_classes() const { return labels_.names_classes(); }
  const std::vector<std::string>& class_names() const { return labels_.names(); }
  std::string class_name(std::size_t c) const;  // its number, where it has none

  // Weights of features by name, largest first, as the learner sees features; at most `most`, for each class.
  struct Weight {
    std::string name;
    double weight = 0;
    std::string of_class = {};
  };
  // `products`: those of pairs of features among them, where there are not too many to look through.
  std::vector<Weight> weights(std::size_t most, bool products = false) const;
  // What each feature adds to the prediction that `predict` would give. Throws Error{kUnsupported} for a model that
  // chooses, or has no loss.
  Contributions contributions(const FeaturesView& features) const;
  // What the numbers that bend say at their values while others are at their means, more or less than in the mean of
  // these values: in units of the labels, or in logarithms of odds. At most `most`, those that say most first; none of
  // models that predict classes, and no value that rows have not had.
  struct Curve {
    std::string name;
    Vec at, effect;
    bool whole = false;      // whether its values are few whole numbers, and each is here
    bool of_labels = false;  // in their units
  };
  std::vector<Curve> curves(std::size_t most) const;

  const AnySet& set() const { return set_; }
  const AnyLearner& learner() const { return learner_; }
  const Ledger& ledger() const { return ledger_; }
  const Keys& keys() const { return keys_; }
  const std::optional<AnyLoss>& loss() const { return loss_; }
  const FeatureCare& features() const { return care_; }
  const Expiry& expiry() const { return expiry_; }
  const Revisable& revisable() const { return revisable_; }
  const std::optional<ChoiceSpec>& choice() const { return choice_; }   // nothing: it does not choose
  const Apprentice& apprentice() const { return apprentice_; }          // of rounds in which something else was shown
  const Comparison& comparison() const { return comparison_; }          // of its choices with those of simple rules
  const SettledRounds& settled() const { return settled_; }             // whose labels may still be replaced
  bool wants_time() const { return revisable_.seconds > 0 || dated_; }  // whether it matters when events came
  const std::string& spec() const { return spec_; }
  std::uint64_t events() const { return events_; }  // that were applied, in all

  // All that a certificate needs, with the delays actually seen.
  theory::Seen seen() const;
  // The regret that the learner cannot have exceeded so far, where its theory says so.
  // It takes it that gradients which have not come, or never will, are no larger than those that have.
  std::optional<double> certificate() const;

  // The whole state: the same bytes for the same state, and one that was loaded continues bit for bit. Snapshots put
  // them into a file (snapshot.h).
  void save(ByteWriter& out) const;
  void load(ByteReader& in);  // into a model of the same specification; on error it must not be used further
  // SHA-256 of specification and state.
  std::string hash() const;
  // The state as it is now, for another thread to save: takes as long as a copy of the decision.
  FrozenModel freeze() const;
  // Another model in the same state. Throws Error{kUnsupported} for one that was put together by hand.
  Model clone() const;

 private:
  std::optional<Curve> curve(Index slot) const;
  std::size_t outputs() const { return loss_ ? loss_->outputs() : 1; }
  std::uint64_t first_number() const;
  Round next_own() const { return ledger_.own(ledger_.issued() + 1); }  // as learner and features count
  void save_rest(ByteWriter& out) const;                                // what follows ledger and keys
  void check_parts() const;
  void check_revisable() const;
  void check_tracked() const;
  void drop_untracked(Outcome& outcome);
  void weigh(double chance, Feedback& feedback, Vec& values) const;
  bool fits_model(const Context& context) const;
  bool answered_so(const KeyedRound& round) const;
  struct Asked {  // what keys remember of a play
    const std::string& key;
    std::uint64_t digest;
    Vec answer = {};    // of a choice; otherwise the scores are
    bool waits = true;  // false: its label is at hand
  };
  Outcome open(const std::optional<FeaturesView>& features, const Asked& asked, const PlayTimes& times);
  double optimism_now() const;  // in deviations of a prediction
  std::vector<RankedAction> ranked(const Choosing& asked, const std::vector<Action>& actions) const;
  void note_shown(Round round, const Choosing& asked, const Choice& choice);
  void note_reward(Round round, double label);
  void note_lost(Round round);
  void check(const ShownLater& shown) const;
  void put_shown(Round round, const ShownLater& shown, Context& context);
  void expect_shown(Round round, const ShownLater& shown, const PackedContext& learnt) const;
  std::optional<Outcome> played_before(const std::string& key, std::uint64_t digest) const;
  Round find(const RoundName& round) const;
  Outcome not_applied(const RoundName& name, Round round) const;
  Round give_up_overdue();
  void score(Context& context);
  double likeliest(const Vec& scores) const;
  struct Learnt {  // of a label that may be replaced
    double label = 0;
    Memo memo = {};
  };
  Outcome learn(Round round, const Ledger::Settled& settled, double label, const Covector& features, double now,
                Learnt* learnt = nullptr);
  double time_of(const std::optional<double>& now) const { return std::max(now_, now.value_or(now_)); }
  void check(const Revising& revising) const;
  void check_label(const Revising& revising, const std::optional<ShownLater>& shown) const;
  static void check_brings(const Context& context, bool features);
  void check_gradient(Round round, const Context& context, double label) const;
  double checked_label(double label) const;
  double first_label(const LabelValue& given) const;
  void add_name(const LabelValue& given);
  void name_classes();  // the loss expects those that have been heard of
  void pass_time(const PlayTimes& times);
  void look_at_due();
  void note_open_until(double now, Round round, const Context& context);
  void move_target(Round round, const Open& open, const PackedContext& waiting);
  void expect_look(Round round, const DueTime& due);
  void forget_look(Round round, const DueTime& due);
  SettledRound as_labelled(Context context, const Learnt& learnt, double label, const Revising& revising) const;
  void close_labelled(Round round, const LabelValue& given, double label, const std::optional<double>& now);
  double number_kept(const LabelValue& given, double label) const;
  Outcome revise(Round round, const SettledRound& before, const LabelValue& given, const Revising& revising);
  std::optional<Answer> add_label(SettledRound& settled, const LabelValue& given, const Revising& revising) const;
  std::optional<Answer> put_label(SettledRound& settled, double label, const Revising& revising) const;
  std::optional<Answer> add_part(SettledRound& settled, double value, const Revising& revising) const;
  Outcome replace(Round round, const SettledRound& before, SettledRound after);
  Outcome give_up(Round round, const Ledger::Settled& settled);
  void look_again(Round newest);
  template <class Use>
  void with_open_loss(Round round, const Context& context, Use use);
  void withdraw(Round round, const Context& context, Memo& memo);
  void pass_on(Round round, const Feedback& feedback, const Memo& memo, Learnt* learnt = nullptr);
  Covector gradient_by_name(const NamedFeatures& named, Vec& values) const;
  Version current_version() const;

  AnySet set_;
  AnyLearner learner_;
  std::optional<AnyLoss> loss_;
  FeatureCare care_;
  LabelReader labels_;
  std::optional<LabelScale> label_scale_;
  std::vector<std::string> names_;
  Expiry expiry_;
  std::string spec_;
  Ledger ledger_;
  Keys keys_;
  Revisable revisable_;
  std::optional<ChoiceSpec> choice_;
  Apprentice apprentice_;
  Comparison comparison_;
  SettledRounds settled_;
  std::uint64_t revisions_ = 0;
  double now_ = 0;      // the latest time that a play carried
  bool dated_ = false;  // whether a round has had a due time
  struct DueLook {      // at a round with a due time
    double at;
    Round round;
    std::size_t look;
    auto operator<=>(const DueLook&) const = default;
  };
  std::set<DueLook> due_looks_;  // the next one of each round that waits
  bool trees_ = false;           // whether the learner grows some: not all that it says is a feature's
  // Of the round at hand; their memory is used again.
  Row wide_;  // features, products and bends
  Context played_;
  Ledger::Settled labelled_;
  Vec gradient_;
  double gradient_bound_ = 0;
  std::uint64_t events_ = 0;
};

}  // namespace tarry
