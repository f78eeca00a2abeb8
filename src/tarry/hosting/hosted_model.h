// A model as a service keeps it: the model, and beside it what makes its clients' repeats harmless. It is a pure fold
// of entries: recovery, the service and a queue's worker call the same `apply`. What is kept beside the model is saved
// with it, but is no part of its hash. One thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tarry/base/contract.h"
#include "tarry/base/tally.h"
#include "tarry/hosting/challenger.h"
#include "tarry/hosting/entry.h"
#include "tarry/hosting/frozen_hosted.h"
#include "tarry/hosting/retries.h"
#include "tarry/model/model.h"
#include "tarry/model/reply.h"
#include "tarry/model/told.h"

namespace tarry::hosting {

// What became of an entry.
enum class Fate : std::uint8_t {
  kApplied,
  kDuplicate,  // it had been applied before, with the same content
  kConflict,   // it had been applied before, with other content
  kUnknown,    // no such round was played
  kExpired,    // its round was given up
  kUntracked,  // its round was not kept
};

Fate fate_of(Answer answer);

struct Folded {
  Fate fate;
  Round round = 0;
  double loss = 0;        // of a label that was applied, or of a window's end
  double prediction = 0;  // of its round, as it is shown
  bool revised = false;   // it took the place of another one
  bool stray = false;     // the model never played its round, an earlier champion did; without that the loss is NaN
  bool held = false;      // a label of a deferred round: the model gets it on activation
  std::int64_t issued_ms = 0;                     // when the round of feedback that was applied had been played
  std::optional<PlayReply> reply = std::nullopt;  // to a play
  std::int64_t reply_bytes = 0;                   // of memory that it holds, where the program counts
  std::vector<ChallengerRound> beside = {};       // what it was to each challenger
};

// What an activation did.
struct Activated {
  Fate fate = Fate::kUnknown;  // kDuplicate: the round was not deferred, or no longer
  struct Passed {
    Event event;
    Folded folded;
  };
  std::vector<Passed> passed = {};  // labels that had come before, and reached the model now
};

class HostedModel {
 public:
  // Throws Error for a specification that no model can be made from.
  HostedModel(std::string name, const std::string& spec);
  // As an entry says. Rounds that wait in the state it starts from wait since the entry's time, and have no tickets.
  explicit HostedModel(const Create& entry);

  const std::string& name() const { return name_; }
  Position incarnation() const { return incarnation_; }
  Position position() const { return position_; }  // of the last entry in this state
  const Model& model() const { return model_; }
  // Of memory, where the program counts (base/tally.h): all that was taken and kept in making, loading and folding it.
  std::int64_t bytes() const { return bytes_; }
  // What a frozen copy took, or gave back elsewhere: it shares memory with the model.
  void count_copy(std::int64_t bytes) { bytes_ += bytes; }

  void created(Position incarnation) { incarnation_ = position_ = incarnation; }
  // Throws Error, and nothing has changed. `epoch`: of the opening that wrote the entry. Only kApplied changed
  // anything.
  Folded apply(const Apply& entry, std::uint64_t epoch);
  // Labels that came for the round reach the model now. Only kApplied changed anything.
  Activated activate(const Activate& entry);
  // Challengers come, go and take the champion's place. They throw Error where that cannot be, and nothing has changed.
  void challenge(const Challenge& entry);
  void dismiss(const Dismiss& entry);
  void promote(const Promote& entry);
  const std::vector<Challenger>& challengers() const { return challengers_; }
  const Challenger* find_challenger(const std::string& name) const;  // null: there is none
  const std::string& champion() const { return champion_; }          // what the model is called among them
  // Of the model that this history began with.
  const std::string& first_spec() const { return first_spec_.empty() ? model_.spec() : first_spec_; }
  bool is_deferred(Round round) const { return deferred_.contains(round); }
  Round round_of(const RoundName& name) const;  // 0: none was played under this name
  // The position of what was just applied.
  void at(Position position) {
    ensure(position >= position_, "a model's state follows the log");
    position_ = position;
  }

  // The epoch in which a round was issued; nothing when it was not.
  std::optional<std::uint64_t> epoch_of(Round round) const;

  std::optional<std::int64_t> waits_since_ms(Round round) const;  // nothing: it does not wait
  // What a round was answered with, as far as it is kept: while it waits, and then for as long as its key, or that of
  // the request, is remembered.
  std::optional<PlayReply> answer_of(Round round, const Play* play, const std::optional<Once>& once) const;

  // Rounds that wait since before `ms`, oldest first.
  std::vector<Round> waiting_since_before(std::int64_t ms, std::size_t most) const;
  std::optional<std::int64_t> oldest_since_ms() const;  // nothing: none waits
  // With when they were played.
  std::vector<std::pair<Round, std::int64_t>> longest_waiting(std::size_t most) const;

  const Retries& retries() const { return retries_; }
  // What was just applied under this idempotency key is in the log at position().
  void written(const std::string& idempotency_key);

  // As it is now, for another thread to save: takes as long as a copy of the decision.
  FrozenHosted freeze() const;
  void save(ByteWriter& out) const;
  static HostedModel load(ByteReader& in);  // throws Error{kCorrupt}

 private:
  HostedModel(std::string name, TallySince before, Model model)
      : name_(std::move(name)), model_(std::move(model)), bytes_(before.bytes()) {}
  Folded fold(const Apply& entry, std::uint64_t epoch);
  std::optional<Folded> answered_before(const Apply& entry) const;
  std::optional<Folded> hold(const Event& event);
  void recall_ranking(const Play& play, PlayReply& reply) const;
  void load_deferred(ByteReader& in);
  Folded fold_play(const Apply& entry, const Model::Outcome& outcome, std::uint64_t epoch);
  Folded fold_feedback(const Event& event, const Model::Outcome& outcome);
  void forget_expired();
  bool was_given_up_before(Round round) const;
  bool is_stray(Round round) const { return round <= model_.ledger().before() && issued_ms_.contains(round); }
  std::optional<Folded> fold_stray(const Event& event);
  std::optional<Challenger::Judged> tell_challengers(const Event& event, Round round, std::optional<double> lost,
                                                     Folded& folded);
  void compare_challengers();
  void count_strays();
  void load_challengers(ByteReader& in);

  std::string name_;
  Position incarnation_ = 0;
  Position position_ = 0;
  Model model_;
  std::vector<std::pair<Round, std::uint64_t>> epochs_;  // the first round of each epoch that issued any
  SharedMap<std::int64_t> issued_ms_;                    // of the rounds that wait
  Retries retries_;
  Told told_;
  DeferredRounds deferred_;
  std::string champion_{kOriginal};
  std::string first_spec_;  // where the champion is another one; empty: it is the model's
  std::vector<Challenger> challengers_;
  std::uint64_t strays_ = 0;  // rounds that wait and that the champion never played: an earlier one did
  std::int64_t bytes_ = 0;
};

}  // namespace tarry::hosting
