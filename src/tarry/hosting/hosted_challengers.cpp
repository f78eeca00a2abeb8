// A model and its challengers in one fold: what the champion takes goes to each of them, after it. A champion that was
// promoted never played the rounds that were open when it joined: these strays are answered beside it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/hosting/challenger_spec.h"
#include "tarry/hosting/hosted_model.h"
#include "tarry/hosting/names.h"

namespace tarry::hosting {
namespace {

[[noreturn]] void corrupt_challengers(const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); }

[[noreturn]] void no_such_challenger(const std::string& model, const std::string& name) {
  throw Error(Code::kBadInput, fmt::format("the model {} has no challenger named {}", model, name));
}

}  // namespace

const Challenger* HostedModel::find_challenger(const std::string& name) const {
  const auto at =
      std::find_if(challengers_.begin(), challengers_.end(), [&](const auto& c) { return c.name() == name; });
  return at == challengers_.end() ? nullptr : &*at;
}

void HostedModel::challenge(const Challenge& entry) {
  const TallySince before;
  if (!is_name(entry.challenger))
    throw Error(Code::kBadInput, fmt::format("a challenger's name must be {}", kNameRule));
  if (entry.challenger == champion_ || entry.challenger == kOriginal)
    throw Error(Code::kConflict, fmt::format("{} is what the model {} is called: take another name", entry.challenger,
                                             entry.challenger == champion_ ? "itself" : "that was there first"));
  if (find_challenger(entry.challenger) != nullptr)
    throw Error(Code::kConflict,
                fmt::format("the model {} has a challenger named {} already", name_, entry.challenger));
  if (challengers_.size() >= kMostChallengers)
    throw Error(Code::kUnsupported, fmt::format("a model may have {} challengers: remove one", kMostChallengers));
  const ModelSpec spec = ModelSpec::parse(entry.spec);
  check_challenger(model_, spec);
  Challenger made(entry.challenger, entry.spec, model_);
  challengers_.reserve(kMostChallengers);  // nothing has changed where there is no memory for it
  challengers_.push_back(std::move(made));
  bytes_ += before.bytes();
}

void HostedModel::dismiss(const Dismiss& entry) {
  const TallySince before;
  const Challenger* known = find_challenger(entry.challenger);
  if (known == nullptr) no_such_challenger(name_, entry.challenger);
  challengers_.erase(challengers_.begin() + (known - challengers_.data()));
  bytes_ += before.bytes();
}

void HostedModel::promote(const Promote& entry) {
  const TallySince before;
  const Challenger* known = find_challenger(entry.challenger);
  if (known == nullptr) no_such_challenger(name_, entry.challenger);
  if (known->model() == nullptr)
    throw Error(Code::kUnsupported, fmt::format("the challenger {} failed, in {}", entry.challenger, known->failure()));
  if (first_spec_.empty()) first_spec_ = model_.spec();
  challengers_[static_cast<std::size_t>(known - challengers_.data())].trade_places(model_, champion_);
  count_strays();
  for (Challenger& each : challengers_) each.begin_trial();
  bytes_ += before.bytes();
}

void HostedModel::count_strays() {
  strays_ = 0;
  issued_ms_.each_while([&](Round round, std::int64_t) {
    const bool stray = round <= model_.ledger().before();
    strays_ += stray ? 1 : 0;
    return stray;
  });
}

std::optional<Challenger::Judged> HostedModel::tell_challengers(const Event& event, Round round,
                                                                std::optional<double> lost, Folded& folded) {
  std::optional<Challenger::Judged> first;
  for (Challenger& each : challengers_) {
    const auto judged = each.feed(event, round, lost);
    if (!first || std::isnan(first->loss)) first = judged;
    folded.beside.push_back(each.counted(round, lost, judged));
  }
  compare_challengers();
  return first;
}

void HostedModel::compare_challengers() {
  for (Challenger& each : challengers_) each.compare(issued_ms_);
}

// The model that played the round, if it is still there, learns from it and says what was lost.
std::optional<Folded> HostedModel::fold_stray(const Event& event) {
  if (strays_ == 0) return std::nullopt;
  const Round round = std::visit(
      Overload{[](const Play&) { return Round{0}; }, [this](const auto& e) { return round_of(e.round); }}, event);
  if (round == 0 || !is_stray(round)) return std::nullopt;
  if (const auto* label = std::get_if<Label>(&event)) model_.read(label->label);  // it may be none
  Folded folded{.fate = Fate::kApplied, .round = round, .issued_ms = *issued_ms_.find(round)};
  told_.note(model_, event, {.answer = Answer::kApplied, .round = round});
  issued_ms_.erase(round);
  deferred_.erase(round);
  --strays_;
  const auto judged = tell_challengers(event, round, std::nullopt, folded);
  folded.stray = true;
  folded.loss = judged ? judged->loss : std::numeric_limits<double>::quiet_NaN();
  if (judged) folded.prediction = judged->prediction;
  return folded;
}

// A champion that was promoted does not know what became of the rounds before its own; the former one does, for as long
// as it is there.
bool HostedModel::was_given_up_before(Round round) const {
  if (round > model_.ledger().before() || told_.knows(round)) return false;
  return std::any_of(challengers_.begin(), challengers_.end(), [&](const Challenger& each) {
    const Model* own = each.model();
    return own != nullptr && round > own->ledger().before() && own->ledger().why_not(round) == Answer::kExpired;
  });
}

void HostedModel::load_challengers(ByteReader& in) {
  if (const std::uint8_t format = in.u8(); format != kChallengersFormat)
    corrupt_challengers("format " + std::to_string(format) + " of challengers is not one this program reads");
  champion_ = in.text();
  first_spec_ = in.text();
  if (!is_name(champion_) || (champion_ != kOriginal && first_spec_.empty()))
    corrupt_challengers("a champion has no name");
  for (std::uint64_t left = in.count(24); left > 0; --left) {
    Challenger each = Challenger::load(in);
    if (!is_name(each.name()) || each.name() == champion_ || find_challenger(each.name()) != nullptr)
      corrupt_challengers("a challenger is there twice");
    if (const Model* model = each.model()) {
      std::uint64_t waiting = 0;
      issued_ms_.each([&](Round round, std::int64_t) { waiting += round > model->ledger().before() ? 1 : 0; });
      if (model->ledger().issued() != model_.ledger().issued() || model->ledger().outstanding() != waiting)
        corrupt_challengers("the rounds of a challenger are not the champion's");
    }
    challengers_.push_back(std::move(each));
  }
}

}  // namespace tarry::hosting
