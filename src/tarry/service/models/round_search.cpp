#include "tarry/service/models/round_search.h"

#include <algorithm>
#include <unordered_map>

#include "tarry/base/overload.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"

namespace tarry::service {
namespace {

using namespace hosting;

// Rounds are counted as they were folded: each play in the log opened the next one.
class LogReading {
 public:
  LogReading(const RoundSearch& search, FoundRounds& found) : search_(search), found_(found) {
    for (std::size_t k = 0; k < search.wanted.size(); ++k) {
      const WantedRound& one = search.wanted[k];
      found_.rounds.push_back({.round = one.round});
      by_round_[one.round] = k;
      if (!one.key.empty()) by_key_[one.key] = k;
      if (one.feedback) awaited_ += one.closed_at == 0 || search.revisable ? 1 : 0;
    }
    plays_ = search.wanted.size();
    if (search.start) played_ = search.start->rounds;
  }

  bool done() const { return plays_ == 0 && awaited_ == 0; }

  bool visit(Position position, std::string_view payload) {
    if (++read_ > kMostSearched) {
      found_.gave_up = true;
      return false;
    }
    if (position == search_.incarnation) begin(payload);
    if (is_event_of(payload, search_.incarnation)) take(std::get<Apply>(entry_from_bytes(payload)));
    return !done();
  }

  void take_feedback(std::size_t k, Apply entry) {
    std::vector<Apply>& feedback = found_.rounds[k].feedback;
    if (feedback.size() < kMostFeedback) feedback.push_back(std::move(entry));
  }

 private:
  // A model that was made from a state has played before.
  void begin(std::string_view payload) {
    const Entry entry = entry_from_bytes(payload);
    const auto* create = std::get_if<Create>(&entry);
    if (create != nullptr && !create->state.empty())
      played_ = load_snapshot(create->state, ModelSpec::parse(create->spec)).ledger().issued();
  }

  void take(Apply entry) {
    if (const auto* play = std::get_if<Play>(&entry.event)) {
      const auto at = by_round_.find(++played_);
      if (at == by_round_.end()) return;
      if (!play->key.empty()) by_key_[play->key] = at->second;
      found_.rounds[at->second].play = std::move(entry);
      --plays_;
      return;
    }
    const RoundName& name = std::visit(Overload{[](const Play&) -> const RoundName& {
                                                  static const RoundName kNone{Round{0}};
                                                  return kNone;
                                                },
                                                [](const auto& e) -> const RoundName& { return e.round; }},
                                       entry.event);
    std::optional<std::size_t> at;
    if (const auto number = by_round_.find(name.number); name.number > 0 && number != by_round_.end())
      at = number->second;
    if (const auto key = by_key_.find(name.key); name.number == 0 && key != by_key_.end()) at = key->second;
    if (!at) return;
    const WantedRound& wanted = search_.wanted[*at];
    const bool known = wanted.closed_at != 0 && !search_.revisable;
    if (!known) take_feedback(*at, std::move(entry));
    if (wanted.feedback && !known && !search_.revisable) --awaited_;  // each is closed once
  }

  const RoundSearch& search_;
  FoundRounds& found_;
  std::unordered_map<Round, std::size_t> by_round_;
  std::unordered_map<std::string, std::size_t> by_key_;
  std::size_t plays_ = 0, awaited_ = 0;
  Round played_ = 0;
  std::uint64_t read_ = 0;
};

}  // namespace

FoundRounds search_log(const ReadLog& read, const RoundSearch& search) {
  FoundRounds found;
  LogReading reading(search, found);
  const Position after = search.start ? search.start->position : search.incarnation - 1;
  try {
    for (std::size_t k = 0; k < search.wanted.size(); ++k) {
      const Position at = search.wanted[k].closed_at;
      if (at == 0 || search.revisable) continue;
      read(at - 1, [&](Position, std::string_view payload) {
        if (is_event_of(payload, search.incarnation))
          reading.take_feedback(k, std::get<Apply>(entry_from_bytes(payload)));
        return false;
      });
    }
    if (!reading.done()) read(after, [&](Position p, std::string_view payload) { return reading.visit(p, payload); });
  } catch (const Error& error) {  // segments go while the service runs
    if (error.code() != Code::kBadInput && error.code() != Code::kIo) throw;
    found.pruned = true;
  }
  return found;
}

}  // namespace tarry::service
