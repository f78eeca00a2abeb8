// A model as Python holds it: with the prefix of its tickets, and one thread at a time.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "features.h"
#include "own.h"
#include "rewind.h"
#include "tarry/model/model.h"
#include "tarry/model/told.h"

namespace tarry::python {

inline constexpr std::size_t kFingerprint = 16;
using Fingerprint = std::array<char, kFingerprint>;
// FINGERPRINT-ROUND: no clock and no chance in it, so that it is valid for every copy of the model.
nanobind::str ticket_of(const Fingerprint& fingerprint, Round round);

class HeldModel {
 public:
  HeldModel(Model model, const Own& own);

  Model model;
  const Fingerprint fingerprint;  // the first digits of the SHA-256 of the specification
  const Own own;                  // what of it is written in Python; null: nothing
  std::string kind;               // "box of 262144, auto, logistic": for repr
  mutable LastRow last_row;       // for rows of this model

  nanobind::str ticket(Round round) const { return ticket_of(fingerprint, round); }
  // The round that a ticket, or a key, names. Throws UnknownTicket.
  Round round_of(nanobind::handle ticket) const;

  // The model's events; where parts of it are written in Python, only inside `unless_it_throws`.
  Model::Outcome apply(const Event& event);
  Model::Outcome play(const std::optional<FeaturesView>& features, const std::string& key = {},
                      const PlayTimes& times = {});
  Model::Outcome label(Round round, const LabelValue& label, const std::optional<FeaturesView>& features,
                       const Revising& revising = {}, const std::optional<ShownLater>& shown = std::nullopt);
  Model::Outcome receive(Round round, const FeaturesView& gradient);
  Model::Outcome cost(const LossValue& value);
  Model::Outcome give_up(Round round, bool was_used);
  // A label that is known at once. Nothing has changed where it cannot be one.
  Model::Outcome play_and_label(const FeaturesView& features, const LabelValue& label);

  // Of a copy: what rounds were told before.
  void remember(const HeldModel& other) { told_ = other.told_; }

  // Runs what changes the model; where it throws in code written in Python, the model is as before.
  template <class F>
  auto unless_it_throws(const F& change) {
    if (!rewind_) return change();
    const Handed objects(own);  // for learners that make others as they go
    rewind_->begin(model);
    try {
      auto result = change();
      rewind_->done();
      return result;
    } catch (...) {
      rewind_->go_back(model);
      throw;
    }
  }

 private:
  friend class Use;
  template <class MakeEvent>
  Model::Outcome noted(Model::Outcome outcome, const MakeEvent& event);

  std::optional<Rewind> rewind_;
  Told told_;  // by this object: a snapshot has none of it
  mutable std::mutex mutex_;
  mutable std::atomic<std::thread::id> user_{};
};

// Whether a key would look like a ticket.
bool looks_like_ticket(std::string_view key);

// While it lives, its thread alone uses the model. `released`: and others may run Python meanwhile, which pays where
// the work takes longer than some microseconds. Nobody waits for a model with the interpreter's lock in hand.
class Use {
 public:
  explicit Use(const HeldModel& held, bool released = false);
  ~Use();
  Use(const Use&) = delete;
  Use& operator=(const Use&) = delete;

 private:
  const HeldModel& held_;
  std::optional<nanobind::gil_scoped_release> released_;
};

// The same objects, for another model.
Own again(const HeldModel& held);

void bind_state(nanobind::class_<HeldModel>& model);

}  // namespace tarry::python
