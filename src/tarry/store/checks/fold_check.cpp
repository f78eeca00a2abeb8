#include "tarry/store/checks/fold_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "tarry/base/error.h"
#include "tarry/base/sha256.h"
#include "tarry/store/snapshots/saved_models.h"

namespace tarry::store {

using namespace hosting;  // entries and models
namespace {

std::string digest_of(const HostedModel& model) {
  ByteWriter bytes;
  model.save(bytes);
  return sha256(bytes.bytes());
}

// A model in a snapshot may be ahead of it: it is compared where its own last entry is.
struct Expected {
  Position snapshot = 0;
  Position incarnation = 0;
  std::string name;
  std::string digest;
};

struct Candidate {
  SavedHead head;
  std::set<Position> models;  // incarnations
  std::multimap<Position, Expected> expected;
};

class FoldChecker {
 public:
  FoldChecker(Disk& disk, const std::string& path, const Findings& log, const std::set<Position>& deleted)
      : disk_(disk), path_(path), log_(log), deleted_(deleted), snapshots_(disk, path + "/snapshots", log.identity()) {}

  FoldCheck run() {
    std::map<Position, std::vector<Candidate>> groups;  // by where their fold began
    Position newest = 0;
    std::vector<Position> positions = snapshots_.positions();
    std::reverse(positions.begin(), positions.end());
    for (const Position position : positions) {
      auto candidate = read(position);
      if (!candidate) continue;
      newest = position;
      done_.snapshots.push_back({position, false, {}});
      if (candidate->head.arithmetic == kArithmetic)
        groups[candidate->head.folded_from].push_back(std::move(*candidate));
      else
        why_not(position, "was folded with other arithmetic");
    }
    bool to_the_end = false;
    for (auto group = groups.begin(); group != groups.end(); ++group) {
      to_the_end = std::next(group) == groups.end() && group->second.back().head.position == newest;
      fold_group(group->first, group->second, to_the_end);
    }
    const bool goes_on = newest + 1 >= log_.first && newest <= log_.last;
    if (!to_the_end && goes_on) fold(newest == 0 ? Models() : load(newest), {}, true);  // as a start does
    return std::move(done_);
  }

 private:
  Models load(Position position) { return load_models(snapshots_, snapshots_.read(position)); }

  // Nothing for one that is damaged, or another store's.
  std::optional<Candidate> read(Position position) {
    try {
      const Saved saved = snapshots_.read(position);
      const Models models = load_models(snapshots_, saved);
      Candidate found{saved.head, {}, {}};
      for (const ModelPointer& model : models.all()) {
        found.models.insert(model->incarnation());
        if (saved.head.arithmetic == kArithmetic)
          found.expected.emplace(std::max(position, model->position()),
                                 Expected{position, model->incarnation(), model->name(), digest_of(*model)});
      }
      return found;
    } catch (const Error& error) {
      if (error.code() != Code::kCorrupt && error.code() != Code::kConflict) throw;
      return std::nullopt;
    }
  }

  void why_not(Position position, const std::string& why) {
    for (FoldedSnapshot& each : done_.snapshots)
      if (each.position == position) each.why_not = why;
  }

  // Those whose fold began at one place, ascending. It begins there again if it can, and with the first that the log
  // goes on from if not.
  void fold_group(Position from, std::vector<Candidate>& group, bool to_the_end) {
    Models base;
    std::size_t compared = 0;  // the first that is
    const bool origin_there = from == 0 ? log_.first == 1 : from + 1 >= log_.first && is_of_another_number(from);
    if (origin_there) {
      if (from != 0) base = load(from);
    } else {
      while (compared < group.size() && group[compared].head.position + 1 < log_.first)
        why_not(group[compared++].head.position, "the log before it was pruned");
      if (compared == group.size()) return;
      base = load(group[compared].head.position);
      why_not(group[compared++].head.position, "what it was folded from is no longer there");
    }
    std::vector<Candidate*> wanted;
    for (; compared < group.size(); ++compared) wanted.push_back(&group[compared]);
    fold(std::move(base), wanted, to_the_end);
  }

  bool is_of_another_number(Position position) {
    const std::vector<Position> there = snapshots_.positions();
    if (std::find(there.begin(), there.end(), position) == there.end()) return false;
    const auto found = read(position);
    return found && found->head.arithmetic != kArithmetic;
  }

  void fold(Models models, const std::vector<Candidate*>& wanted, bool to_the_end) {
    std::multimap<Position, Expected> expected;
    Position last = models.head().position;
    for (const Candidate* each : wanted) {
      last = std::max(last, each->head.position);
      for (const auto& [position, one] : each->expected) {
        expected.emplace(position, one);
        last = std::max(last, position);
        if (position > log_.last)
          done_.damage.push_back(fmt::format("{}: has entry {} of model {}, and the log ends at {}",
                                             snapshots_.path(one.snapshot), position, one.name, log_.last));
      }
    }
    if (to_the_end) last = log_.last;
    examine(disk_, path_ + "/journal", [&](const Record& record, std::uint64_t /*offset*/) {
      if (record.kind != RecordKind::kData || record.position <= models.head().position || record.position > last)
        return true;
      if (stopped_) return true;
      try {
        models.apply(record.position, record.payload);
      } catch (const Error& error) {
        if (error.code() == Code::kOutOfMemory) throw;
        done_.damage.push_back(fmt::format("entry {} of the log cannot be applied: {}", record.position, error.what()));
        stopped_ = true;
        return true;
      }
      const auto [begin, end] = expected.equal_range(record.position);
      for (auto each = begin; each != end; ++each) compare(models, each->second, record.position);
      for (const Candidate* each : wanted)
        if (each->head.position == record.position) find_missing(models, *each);
      return true;
    });
    if (stopped_) return;
    for (const Candidate* each : wanted)
      for (FoldedSnapshot& one : done_.snapshots)
        if (one.position == each->head.position) one.compared = true;
  }

  void compare(const Models& models, const Expected& wanted, Position position) {
    const ModelPointer model = models.find(wanted.incarnation);
    if (model && model->name() == wanted.name && digest_of(*model) == wanted.digest) return;
    done_.damage.push_back(fmt::format("{}: model {} is not what the log folds to, at entry {}",
                                       snapshots_.path(wanted.snapshot), wanted.name, position));
  }

  void find_missing(const Models& models, const Candidate& in) {
    for (const ModelPointer& model : models.all())
      if (!in.models.contains(model->incarnation()) && !deleted_.contains(model->incarnation()))
        done_.damage.push_back(
            fmt::format("{}: model {} is missing", snapshots_.path(in.head.position), model->name()));
  }

  Disk& disk_;
  const std::string& path_;
  const Findings& log_;
  const std::set<Position>& deleted_;
  Snapshots snapshots_;
  FoldCheck done_;
  bool stopped_ = false;
};

}  // namespace

FoldCheck check_folds(Disk& disk, const std::string& path, const Findings& log, const std::set<Position>& deleted) {
  return FoldChecker(disk, path, log, deleted).run();
}

}  // namespace tarry::store
