#include "rewind.h"

#include "tarry/base/error.h"
#include "tarry/base/overload.h"

namespace tarry::python {
namespace {

constexpr std::size_t kAtLeast = 1 << 16;  // bytes of events before a state is kept again
constexpr std::size_t kEach = 128;         // of an event, about

std::size_t bytes_of(const Features& features) {
  constexpr std::size_t kNamed = 80;
  return std::visit(Overload{[](const Vec& x) { return x.size() * sizeof(double); },
                             [](const SparseVector& x) { return x.values.size() * 2 * sizeof(double); },
                             [](const NamedFeatures& x) { return x.size() * kNamed; }},
                    static_cast<const Features::Kinds&>(features));
}

std::size_t bytes_of(const Choosing& choosing) {
  std::size_t bytes = bytes_of(Features(choosing.context)) + kEach * choosing.exclude.size();
  for (const Action& action : choosing.actions) bytes += kEach + bytes_of(Features(action.features));
  return bytes;
}

std::size_t bytes_of(const Event& event) {
  const auto optional = [](const std::optional<Features>& x) { return x ? bytes_of(*x) : 0; };
  return kEach + std::visit(Overload{[&](const Play& e) {
                                       return optional(e.features) + (e.choosing ? bytes_of(*e.choosing) : 0);
                                     },
                                     [&](const Label& e) { return optional(e.features); },
                                     [](const Gradient& e) { return bytes_of(e.gradient); },
                                     [](const auto&) { return std::size_t{0}; }},
                            event);
}

}  // namespace

void Rewind::keep(const Model& model) {
  ByteWriter out;
  model.save(out);
  state_ = out.take();
  events_.clear();
  own_->answers.clear();
  bytes_ = 0;
  kept_ = true;
}

void Rewind::begin(const Model& model) {
  if (lost_)
    throw Error(Code::kInternal, "the model cannot be used further: a learner's load failed after an exception");
  if (!kept_ || bytes_ + own_->answers.bytes() > std::max(state_.size(), kAtLeast)) keep(model);
  begun_ = events_.size();
  plays_ = own_->answers.plays();
  if (!own_->playing.empty()) {
    ByteWriter out;
    model.learner().save(out);
    learner_before_ = out.take();
  }
  own_->answers.record();
}

void Rewind::note(Event event) {
  bytes_ += bytes_of(event);
  events_.push_back(std::move(event));
}

void Rewind::go_back(Model& model) {
  struct Off {
    Answers& answers;
    ~Off() { answers.off(); }
  } const off{own_->answers};
  lost_ = true;  // until it is there
  events_.erase(events_.begin() + static_cast<std::ptrdiff_t>(begun_), events_.end());
  own_->answers.replay(plays_);
  ByteReader in(state_);
  model.load(in);
  for (const Event& event : events_) model.apply(event);
  lost_ = !own_->playing.empty();
  if (!lost_) return;
  // A model's bytes end with its learner's.
  ByteWriter all, part = ByteWriter::counting();
  model.save(all);
  model.learner().save(part);
  std::string before = all.take();
  before.resize(before.size() - part.size());
  before += learner_before_;
  own_->answers.off();
  ByteReader with_learner(before);
  model.load(with_learner);
  lost_ = false;
}

}  // namespace tarry::python
