#include "tarry/ledger/keys.h"

#include <algorithm>
#include <utility>

#include "tarry/base/error.h"

namespace tarry {

const KeyedRound* Keys::find(const std::string& key) const {
  const auto found = rounds_.find(key);
  return found == rounds_.end() ? nullptr : &found->second;
}

const std::string* Keys::key_of(Round outstanding) const {
  const auto found = open_.find(outstanding);
  return found == open_.end() ? nullptr : &found->second;
}

void Keys::open(const std::string& key, KeyedRound round) {
  open_.emplace(round.round, key);
  rounds_.emplace(key, std::move(round));
}

void Keys::close(Round round) {
  auto entry = open_.extract(round);
  if (entry.empty()) return;
  closed_.push_back(std::move(entry.mapped()));
  if (closed_.size() <= remembered_) return;
  rounds_.erase(closed_.front());
  closed_.pop_front();
}

namespace {

void save_one(ByteWriter& out, const std::string& key, const KeyedRound& x) {
  out.text(key);
  out.u64(x.round);
  out.u64(x.digest);
  out.f64(x.prediction);
  out.reals(x.scores);
}

}  // namespace

void Keys::save(ByteWriter& out) const {
  std::vector<std::pair<Round, const std::string*>> open;
  open.reserve(open_.size());
  for (const auto& [round, key] : open_) open.emplace_back(round, &key);
  std::sort(open.begin(), open.end());
  out.u64(open.size());
  for (const auto& [round, key] : open) save_one(out, *key, rounds_.at(*key));
  out.u64(closed_.size());
  for (const std::string& key : closed_) save_one(out, key, rounds_.at(key));
}

void Keys::load(ByteReader& in, Round issued) {
  const auto refuse = [] {
    throw Error(Code::kCorrupt, "snapshot: a key stands twice, or for a round that was not played");
  };
  *this = Keys(remembered_);
  for (const bool outstanding : {true, false}) {
    for (std::uint64_t left = in.count(5 * 8); left > 0; --left) {
      std::string key = in.text();
      KeyedRound x{in.u64(), in.u64(), in.f64(), in.reals()};
      if (x.round == 0 || x.round > issued || key.empty() || key.size() > kLongestKey ||
          !rounds_.emplace(key, x).second)
        refuse();
      if (!x.scores.empty() && !(x.prediction >= 0 && x.prediction < static_cast<double>(x.scores.size()))) refuse();
      const bool fits = outstanding ? open_.emplace(x.round, key).second : closed_.size() < remembered_;
      if (!fits) refuse();
      if (!outstanding) closed_.push_back(std::move(key));
    }
  }
}

bool Keys::fit(const std::function<bool(Round)>& waits, std::size_t scores) const {
  return std::all_of(rounds_.begin(), rounds_.end(), [&](const auto& known) {
    const KeyedRound& x = known.second;
    return x.scores.size() == scores && open_.contains(x.round) == waits(x.round);
  });
}

}  // namespace tarry
