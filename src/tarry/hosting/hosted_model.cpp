#include "tarry/hosting/hosted_model.h"

#include <algorithm>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"
#include "tarry/base/sha256.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"

namespace tarry::hosting {
namespace {

[[noreturn]] void corrupt(const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); }

// Beside those of Idempotency-Key, which have no such byte.
std::string ranking_key(const std::string& key) { return std::string(1, '\0') + key; }

}  // namespace

Fate fate_of(Answer answer) {
  switch (answer) {
    case Answer::kApplied:
      return Fate::kApplied;
    case Answer::kDuplicate:
      return Fate::kDuplicate;
    case Answer::kConflict:
      return Fate::kConflict;
    case Answer::kUnknown:
      return Fate::kUnknown;
    case Answer::kExpired:
      return Fate::kExpired;
    case Answer::kUntracked:
      return Fate::kUntracked;
  }
  return Fate::kUnknown;
}

HostedModel::HostedModel(std::string name, const std::string& spec)
    : HostedModel{std::move(name), TallySince(), make_model(ModelSpec::parse(spec))} {}

HostedModel::HostedModel(const Create& entry)
    : HostedModel{entry.name, TallySince(),
                  entry.state.empty() ? make_model(ModelSpec::parse(entry.spec))
                                      : load_snapshot(entry.state, ModelSpec::parse(entry.spec))} {
  const TallySince before;
  for (const Round round : model_.ledger().waiting()) issued_ms_.set(round, entry.at_ms);
  bytes_ += before.bytes();
}

Folded HostedModel::apply(const Apply& entry, std::uint64_t epoch) {
  const TallySince before;
  Folded folded = fold(entry, epoch);
  ensure(issued_ms_.size() == model_.ledger().outstanding() + strays_,
         "every round that waits has the time of its play");
  bytes_ += before.bytes() - folded.reply_bytes;
  return folded;
}

Folded HostedModel::fold(const Apply& entry, std::uint64_t epoch) {
  if (auto before = answered_before(entry)) return *std::move(before);
  if (auto held = hold(entry.event)) return *std::move(held);
  if (auto stray = fold_stray(entry.event)) return *std::move(stray);
  if (entry.deferred && model_.expiry().rounds > 0)
    throw Error(Code::kBadInput,
                "deferred decisions need a model that waits for seconds, not for rounds: its expiry is");
  if (entry.deferred && model_.ledger().tracked().any())
    throw Error(Code::kBadInput, "deferred decisions need a model that tracks every round: leave out tracked");
  const Model::Outcome outcome = model_.apply(entry.event);
  if (std::holds_alternative<Play>(entry.event)) return fold_play(entry, outcome, epoch);
  return fold_feedback(entry.event, outcome);
}

std::optional<Folded> HostedModel::answered_before(const Apply& entry) const {
  if (!entry.once) return std::nullopt;
  const RememberedRequest* request = retries_.request(entry.once->key);
  if (request == nullptr) return std::nullopt;
  if (request->digest != entry.once->digest) return Folded{.fate = Fate::kConflict};
  const RememberedReply* reply = request->find(entry.once->index);
  if (reply == nullptr) return std::nullopt;  // a batch that was cut short goes on
  Folded folded{.fate = Fate::kDuplicate, .round = reply->round};
  const TallySince before;
  folded.reply = read_play_reply(reply->json);
  folded.reply_bytes = before.bytes();
  return folded;
}

Folded HostedModel::fold_play(const Apply& entry, const Model::Outcome& outcome, std::uint64_t epoch) {
  Folded folded{.fate = fate_of(outcome.answer), .round = outcome.round};
  const TallySince before;
  const auto& play = std::get<Play>(entry.event);
  folded.reply = reply_to_play(model_, play, outcome);
  if (folded.fate == Fate::kDuplicate) recall_ranking(play, *folded.reply);
  folded.reply_bytes = before.bytes();
  if (folded.fate != Fate::kApplied) return folded;
  if (entry.deferred) deferred_.set(outcome.round, Shared(std::vector<Label>()));
  if (epochs_.empty() || epochs_.back().second != epoch) epochs_.emplace_back(outcome.round, epoch);
  issued_ms_.set(outcome.round, entry.at_ms);
  for (const Round round : outcome.untracked) issued_ms_.erase(round);
  forget_expired();
  for (Challenger& each : challengers_) folded.beside.push_back(each.play(play, outcome));
  compare_challengers();
  if (entry.once)
    retries_.answered(entry.once->key, entry.once->digest, {entry.once->index, outcome.round, to_json(*folded.reply)});
  if (play.choosing && !play.key.empty())
    retries_.answered(ranking_key(play.key), 0, {0, outcome.round, to_json(*folded.reply)});
  return folded;
}

// A key alone remembers the action; the whole ranking is kept for as long as answers to requests are.
void HostedModel::recall_ranking(const Play& play, PlayReply& reply) const {
  if (!reply.choice || !reply.choice->ranking.empty()) return;
  const RememberedRequest* request = retries_.request(ranking_key(play.key));
  if (request == nullptr || request->replies.empty() || request->replies.front().round != reply.round) return;
  PlayReply first = read_play_reply(request->replies.front().json);
  if (first.choice) reply.choice->ranking = std::move(first.choice->ranking);
}

void HostedModel::written(const std::string& idempotency_key) {
  const TallySince before;
  retries_.written(idempotency_key, position_);
  bytes_ += before.bytes();
}

Folded HostedModel::fold_feedback(const Event& event, const Model::Outcome& outcome) {
  const bool void_or_expired = outcome.answer == Answer::kExpired && !std::holds_alternative<Expire>(event);
  const Answer answer = void_or_expired ? told_.compared(model_, event, outcome) : told_.answer(model_, event, outcome);
  const bool given_up = answer == Answer::kDuplicate && was_given_up_before(outcome.round);
  Folded folded{.fate = given_up ? Fate::kExpired : fate_of(answer), .round = outcome.round, .loss = outcome.loss};
  folded.prediction = model_.shown(outcome.prediction);
  folded.revised = outcome.revised;
  if (folded.fate != Fate::kApplied) return folded;
  const auto& then = model_.expiry().then_label;
  if (std::holds_alternative<Expire>(event) && then && model_.loss()->outputs() == 1)
    folded.loss = model_.judge(outcome, *then).loss;
  if (const std::int64_t* since = issued_ms_.find(outcome.round)) folded.issued_ms = *since;
  told_.note(model_, event, outcome);
  issued_ms_.erase(outcome.round);
  deferred_.erase(outcome.round);
  const bool judged = std::holds_alternative<Label>(event) || (std::holds_alternative<Expire>(event) && then);
  tell_challengers(event, outcome.round, judged ? std::optional(folded.loss) : std::nullopt, folded);
  return folded;
}

// What a play gives up are the oldest rounds.
void HostedModel::forget_expired() {
  const Round oldest = model_.ledger().oldest_outstanding(), rounds = model_.expiry().rounds;
  for (auto first = issued_ms_.first(); first && first.key < oldest; first = issued_ms_.first()) {
    const bool stray = first.key <= model_.ledger().before();
    if (stray && (rounds == 0 || first.key + rounds > model_.ledger().issued())) return;
    if (stray) --strays_;
    issued_ms_.erase(first.key);
  }
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
  issued_ms_.each_while([&](Round round, std::int64_t since) {
    if (since >= ms || rounds.size() >= most) return false;
    rounds.push_back(round);
    return true;
  });
  return rounds;
}

std::vector<std::pair<Round, std::int64_t>> HostedModel::longest_waiting(std::size_t most) const {
  std::vector<std::pair<Round, std::int64_t>> found;
  issued_ms_.each_while([&](Round round, std::int64_t since) {
    if (found.size() >= most) return false;
    found.emplace_back(round, since);
    return true;
  });
  return found;
}

std::optional<std::int64_t> HostedModel::oldest_since_ms() const {
  const auto first = issued_ms_.first();
  return first ? std::optional(*first.value) : std::nullopt;
}

FrozenHosted HostedModel::freeze() const {
  FrozenHosted frozen{.name = name_,
                      .incarnation = incarnation_,
                      .position = position_,
                      .epochs = epochs_,
                      .issued_ms = issued_ms_,
                      .retries = retries_.kept(),
                      .told = told_,
                      .model = model_.freeze(),
                      .deferred = deferred_,
                      .champion = champion_,
                      .first_spec = first_spec_,
                      .challengers = {}};
  for (const Challenger& each : challengers_) frozen.challengers.push_back(each.freeze());
  return frozen;
}

void HostedModel::save(ByteWriter& out) const {
  const FrozenHosted frozen = freeze();
  frozen.save(out, frozen.model.hash());
}

HostedModel HostedModel::load(ByteReader& in) {
  const TallySince before;
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
    if (const auto last = hosted.issued_ms_.last(); last && last.key >= round) corrupt("rounds are out of order");
    hosted.issued_ms_.set(round, in.i64());
  }
  if (!std::is_sorted(hosted.epochs_.begin(), hosted.epochs_.end(),
                      [](const auto& a, const auto& b) { return a.first < b.first; }))
    corrupt("rounds are out of order");
  hosted.retries_.load(in);
  hosted.told_.load(in);
  const std::string_view state = in.rest();
  hosted.model_.load(in);
  // Of the bytes that were read: a state of an earlier version is written in other bytes from now on.
  Sha256 read;
  read.add(hosted.model_.spec());
  read.add(state.substr(0, state.size() - in.left()));
  hosted.count_strays();
  if (hosted.issued_ms_.size() != hosted.model_.ledger().outstanding() + hosted.strays_)
    corrupt("the rounds that wait do not match");
  if (read.hex() != hash) corrupt("the state of model " + hosted.name_ + " does not have the hash it had");
  if (in.left() > 0) hosted.load_deferred(in);
  if (in.left() > 0) hosted.load_challengers(in);
  hosted.bytes_ = before.bytes();
  return hosted;
}

}  // namespace tarry::hosting
