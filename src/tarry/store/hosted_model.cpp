#include "tarry/store/hosted_model.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"
#include "tarry/store/label_spellings.h"

namespace tarry::store {
namespace {

[[noreturn]] void corrupt(const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); }

Fate fate_of(Answer answer) {
  switch (answer) {
    case Answer::kApplied:
      return Fate::kApplied;
    case Answer::kDuplicate:
      return Fate::kDuplicate;
    case Answer::kUnknown:
      return Fate::kUnknown;
    case Answer::kExpired:
      return Fate::kExpired;
  }
  return Fate::kUnknown;
}

}  // namespace

HostedModel::HostedModel(std::string name, const std::string& spec)
    : HostedModel(std::move(name), make_model(ModelSpec::parse(spec))) {}

HostedModel::HostedModel(const Create& entry)
    : HostedModel(entry.name, entry.state.empty() ? make_model(ModelSpec::parse(entry.spec))
                                                  : load_snapshot(entry.state, ModelSpec::parse(entry.spec))) {
  for (const Round round : model_.ledger().waiting()) issued_at_.emplace_back(round, entry.at_ms);
}

Folded HostedModel::apply(const Apply& entry, std::uint64_t epoch) {
  if (auto before = answered_before(entry)) return *before;
  const Model::Outcome outcome = model_.apply(entry.event);
  if (std::holds_alternative<Play>(entry.event)) return fold_play(entry, outcome, epoch);
  return fold_feedback(entry.event, outcome);
}

std::optional<Folded> HostedModel::answered_before(const Apply& entry) const {
  if (!entry.once) return std::nullopt;
  const RememberedRequest* request = replies_.find(entry.once->key);
  if (request == nullptr) return std::nullopt;
  if (request->digest != entry.once->digest) return Folded{.fate = Fate::kConflict};
  const RememberedReply* reply = request->find(entry.once->index);
  if (reply == nullptr) return std::nullopt;  // a batch that was cut short goes on
  return Folded{.fate = Fate::kDuplicate, .round = reply->round, .reply = reply->json};
}

Folded HostedModel::fold_play(const Apply& entry, const Model::Outcome& outcome, std::uint64_t epoch) {
  Folded folded{
      .fate = fate_of(outcome.answer), .round = outcome.round, .reply = reply_json(model_, entry.event, outcome)};
  if (folded.fate != Fate::kApplied) return folded;
  if (epochs_.empty() || epochs_.back().second != epoch) epochs_.emplace_back(outcome.round, epoch);
  issued_at_.emplace_back(outcome.round, entry.at_ms);
  forget_settled();
  if (entry.once) replies_.add(entry.once->key, entry.once->digest, {entry.once->index, outcome.round, folded.reply});
  return folded;
}

Folded HostedModel::fold_feedback(const Event& event, const Model::Outcome& outcome) {
  Folded folded{.fate = fate_of(outcome.answer), .round = outcome.round, .loss = outcome.loss};
  if (folded.fate == Fate::kApplied) {
    folded.issued_ms = issued_ms(outcome.round);
    if (!std::holds_alternative<Expire>(event)) digests_.add(outcome.round, content_digest(event));
    forget_settled();
  } else if (folded.fate != Fate::kUnknown) {
    const auto first = digests_.find(outcome.round);  // a round declared void has one too
    if (first) folded.fate = was_told(*first, event) ? Fate::kDuplicate : Fate::kConflict;
  }
  return folded;
}

// Whether the feedback with this digest was the same, in these words or in others.
bool HostedModel::was_told(std::uint64_t digest, const Event& event) const {
  const auto* label = std::get_if<Label>(&event);
  if (label == nullptr) return digest == content_digest(event);
  Label other = *label;
  for (const LabelValue& spelling : label_spellings(model_, label->label)) {
    other.label = spelling;
    if (digest == content_digest(other)) return true;
  }
  return false;
}

// Rounds are settled in any order: those in the middle are swept out once they are the larger part.
void HostedModel::forget_settled() {
  const Ledger& ledger = model_.ledger();
  const auto settled = [&](const auto& issued) { return !ledger.is_outstanding(issued.first); };
  while (!issued_at_.empty() && settled(issued_at_.front())) issued_at_.pop_front();
  constexpr std::size_t kFew = 1024;
  if (issued_at_.size() > 2 * ledger.outstanding() + kFew) std::erase_if(issued_at_, settled);
}

std::optional<std::uint64_t> HostedModel::epoch_of(Round round) const {
  if (round == 0 || round > model_.ledger().issued()) return std::nullopt;
  const auto after = std::upper_bound(epochs_.begin(), epochs_.end(), round,
                                      [](Round r, const auto& epoch) { return r < epoch.first; });
  if (after == epochs_.begin()) return std::nullopt;
  return std::prev(after)->second;
}

std::vector<Round> HostedModel::waiting_since_before(std::int64_t ms, std::size_t most) const {
  std::vector<Round> rounds;
  for (const auto& [round, since] : issued_at_) {
    if (since >= ms || rounds.size() >= most) break;
    if (model_.ledger().is_outstanding(round)) rounds.push_back(round);
  }
  return rounds;
}

std::int64_t HostedModel::issued_ms(Round round) const {
  const auto at = std::lower_bound(issued_at_.begin(), issued_at_.end(), round,
                                   [](const auto& issued, Round wanted) { return issued.first < wanted; });
  return at != issued_at_.end() && at->first == round ? at->second : 0;
}

std::vector<std::pair<Round, std::int64_t>> HostedModel::longest_waiting(std::size_t most) const {
  std::vector<std::pair<Round, std::int64_t>> found;
  for (const auto& issued : issued_at_) {
    if (found.size() >= most) break;
    if (model_.ledger().is_outstanding(issued.first)) found.push_back(issued);
  }
  return found;
}

std::optional<std::int64_t> HostedModel::oldest_since_ms() const {
  if (issued_at_.empty()) return std::nullopt;  // the first one waits: forget_settled
  return issued_at_.front().second;
}

void HostedModel::save(ByteWriter& out) const {
  out.text(name_);
  out.text(model_.spec());
  out.text(model_.hash());
  out.u64(incarnation_);
  out.u64(position_);
  out.u64(epochs_.size());
  for (const auto& [round, epoch] : epochs_) {
    out.u64(round);
    out.u64(epoch);
  }
  out.u64(model_.ledger().outstanding());
  for (const auto& [round, since] : issued_at_) {
    if (!model_.ledger().is_outstanding(round)) continue;
    out.u64(round);
    out.i64(since);
  }
  replies_.save(out);
  digests_.save(out);
  model_.save(out);
}

HostedModel HostedModel::load(ByteReader& in) {
  std::string name = in.text();
  HostedModel hosted(std::move(name), in.text());
  const std::string hash = in.text();
  hosted.incarnation_ = in.u64();
  hosted.position_ = in.u64();
  if (hosted.incarnation_ == 0 || hosted.position_ < hosted.incarnation_) corrupt("a model's position is impossible");
  for (std::uint64_t left = in.count(16); left > 0; --left) {
    const Round round = in.u64();
    hosted.epochs_.emplace_back(round, in.u64());
  }
  for (std::uint64_t left = in.count(16); left > 0; --left) {
    const Round round = in.u64();
    hosted.issued_at_.emplace_back(round, in.i64());
  }
  const auto ascending = [](const auto& list) {
    return std::is_sorted(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  };
  if (!ascending(hosted.epochs_) || !ascending(hosted.issued_at_)) corrupt("rounds are out of order");
  hosted.replies_.load(in);
  hosted.digests_.load(in);
  hosted.model_.load(in);
  if (hosted.issued_at_.size() != hosted.model_.ledger().outstanding()) corrupt("the rounds that wait do not match");
  if (hosted.model_.hash() != hash) corrupt("the state of model " + hosted.name_ + " does not have the hash it had");
  return hosted;
}

}  // namespace tarry::store
