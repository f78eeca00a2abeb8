// A model as Python holds it: with the prefix of its tickets, and one thread at a time.
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "own_set.h"
#include "tarry/model/model.h"

namespace tarry::python {

class HeldModel {
 public:
  explicit HeldModel(Model model, Own own = {});

  Model model;
  const std::string fingerprint;  // the first 16 digits of the SHA-256 of the specification
  const Own own;                  // the sets in it that are written in Python
  std::string kind;               // "box of 262144, auto, logistic": for repr

  // FINGERPRINT-ROUND: no clock and no chance in it, so that it is valid for every copy of the model.
  std::string ticket(Round round) const;
  // The round that a ticket, or a key, names. Throws UnknownTicket.
  Round round_of(nanobind::handle ticket) const;

 private:
  friend class Use;
  mutable std::mutex mutex_;
  mutable std::atomic<std::thread::id> user_{};
};

// Runs what changes the model; where it throws in a set written in Python, the model is as before.
template <class F>
auto unless_it_throws(HeldModel& held, const F& change) {
  if (held.own.empty()) return change();
  ByteWriter before;
  held.model.save(before);
  try {
    return change();
  } catch (...) {
    ByteReader in(before.bytes());
    held.model.load(in);
    throw;
  }
}

// A label that is known at once. Nothing has changed where it cannot be one.
Model::Outcome play_and_label(Model& model, const FeaturesView& features, const LabelValue& label);

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

void bind_state(nanobind::class_<HeldModel>& model);

}  // namespace tarry::python
