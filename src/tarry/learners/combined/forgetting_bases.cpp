#include "tarry/learners/combined/forgetting_bases.h"

namespace tarry {
namespace {

// Numbers that stand base by base, cut after the first so many.
template <class T>
std::span<T> before(std::size_t count, std::span<T> all) {
  return all.empty() ? all : all.first(count);
}
template <class T>
std::span<T> behind(std::size_t count, std::span<T> all) {
  return all.empty() ? all : all.subspan(count);
}

}  // namespace

void ForgettingBases::predict(const Covector& features, std::span<double> predictions) const {
  if (features.outputs() > 1) return;  // one output after the other is asked for
  others_.predict(features, before(others_.size(), predictions));
  forgetting_.predict(others_.seen_by(0, features), behind(others_.size(), predictions));
}

void ForgettingBases::write(std::size_t k, std::span<double> x) const {
  if (k < others_.size()) return others_.write(k, x);
  forgetting_.write(k - others_.size(), x);
}

void ForgettingBases::receive(Round t, const Feedback& feedback, const BasesPlayed& played,
                              std::span<const double> memo) {
  const std::size_t count = others_.size(),
                    numbers = count * (feedback.known != nullptr ? feedback.known->outputs() : 1);
  others_.receive(t, feedback,
                  {before(numbers, played.predictions),
                   before(count, played.losses),
                   {},
                   before(numbers, played.given),
                   before(numbers, played.taken)},
                  memo);
  Feedback seen = feedback;
  std::optional<KnownLoss> known;
  if (feedback.known != nullptr)
    seen.known = &known.emplace(others_.seen_by(0, *feedback.known));
  else
    seen.gradient = others_.seen_by(0, feedback.gradient);
  forgetting_.receive(t, seen,
                      {behind(numbers, played.predictions),
                       behind(count, played.losses),
                       {},
                       behind(numbers, played.given),
                       behind(numbers, played.taken)},
                      memo);
}

void ForgettingBases::move(const KnownLoss& open, std::span<const double> says, std::span<double> given) {
  const std::size_t numbers = others_.size() * open.outputs();
  others_.move(open, says, before(numbers, given));
  forgetting_.move(others_.seen_by(0, open), says, behind(numbers, given));
}

void ForgettingBases::save(ByteWriter& out) const {
  others_.save(out);
  forgetting_.save(out);
}

void ForgettingBases::load(ByteReader& in) {
  others_.load(in);
  forgetting_.load(in);
}

}  // namespace tarry
