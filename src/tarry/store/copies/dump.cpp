#include "tarry/store/copies/dump.h"

#include <fmt/format.h>

#include <memory>

#include "tarry/base/error.h"
#include "tarry/model/codec.h"
#include "tarry/model/snapshot.h"
#include "tarry/store/disk/folder.h"
#include "tarry/store/journal/recovery.h"
#include "tarry/store/snapshots/saved_models.h"

namespace tarry::store {

using namespace hosting;  // entries and models
namespace {

using Take = std::function<void(Position, const Entry&)>;

Findings each_entry(Disk& disk, const std::string& path, const Take& take) {
  return examine(disk, path + "/journal", [&](const Record& record, std::uint64_t /*offset*/) {
    if (record.kind == RecordKind::kData) take(record.position, entry_from_bytes(record.payload));
    return true;
  });
}

// Which incarnation has a name after all entries, and the state that the log goes on from.
struct Found {
  Position incarnation = 0;
  ModelPointer saved;       // in a snapshot; null: the log has all of it
  bool from_state = false;  // the log has all of it, and its creation brought a state
  Position promoted = 0;    // the last time that a challenger took the model's place: what came before is another's
  std::uint64_t epoch = 0;  // of the opening before the first entry that is folded
};

Found find_model(Disk& disk, const std::string& path, const std::string& name) {
  const Findings journal = examine(disk, path + "/journal");
  Found found;
  Models models;
  if (journal.first > 1) {
    std::vector<std::string> told;
    const Snapshots snapshots(disk, path + "/snapshots", journal.identity());
    snapshots.newest(journal.first, journal.last, told,
                     [&](const Saved& saved) { models = load_models(snapshots, saved); });
    found.epoch = models.head().epoch;
    if (const ModelPointer model = models.find(name)) found.incarnation = model->incarnation();
  }
  each_entry(disk, path, [&](Position position, const Entry& entry) {
    if (position <= models.head().position) return;
    if (const auto* create = std::get_if<Create>(&entry)) {
      if (create->name != name || found.incarnation != 0) return;
      found.incarnation = position;
      found.from_state = !create->state.empty();
      found.promoted = 0;
    } else if (const auto* gone = std::get_if<Delete>(&entry)) {
      if (gone->incarnation == found.incarnation) found.incarnation = 0;
    } else if (const auto* promote = std::get_if<Promote>(&entry)) {
      if (promote->incarnation == found.incarnation) found.promoted = position;
    }
  });
  if (found.incarnation == 0)
    throw Error(Code::kBadInput, fmt::format("{}: there is no model \"{}\" (see tarry store check)", path, name));
  found.saved = models.find(found.incarnation);
  if (found.saved && found.promoted <= found.saved->position()) found.promoted = 0;
  return found;
}

}  // namespace

Dumped dump_model(Disk& disk, const std::string& path, const std::string& name, bool may_begin_with_state,
                  const std::function<void(std::string_view line)>& line) {
  check_is_store(disk, path);
  const Found found = find_model(disk, path, name);
  if (found.saved && !may_begin_with_state)
    throw Error(
        Code::kUnsupported,
        fmt::format("{}: the beginning of \"{}\" was pruned: give --out FILE, and its saved state is written to "
                    "FILE.state beside the events since then",
                    path, name));
  if (found.from_state && !may_begin_with_state)
    throw Error(Code::kUnsupported,
                fmt::format("{}: \"{}\" began with a state: give --out FILE, and that is written to "
                            "FILE.state beside the events since then",
                            path, name));
  if (found.promoted > 0 && !may_begin_with_state)
    throw Error(Code::kUnsupported,
                fmt::format("{}: a challenger took the place of \"{}\": give --out FILE, and its state then is "
                            "written to FILE.state beside the events since",
                            path, name));
  Dumped dumped;
  ModelPointer model = found.saved;
  std::uint64_t epoch = found.epoch;
  const auto begin = [&] {
    line(fmt::format("{{\"format\": \"tarry-replay/2\", \"model\": {}}}", model->model().spec()));
    dumped.from = dumped.to = model->position();
  };
  const auto tell = [&](const Event& event, Round next, Position position) {
    if (position < found.promoted) return;
    line(event_json(event, next));
    ++dumped.events;
    dumped.to = position;
  };
  const auto begin_with_state = [&] {
    dumped.state = snapshot_bytes(model->model(), model->position());
    begin();
  };
  if (model && found.promoted == 0) begin_with_state();
  each_entry(disk, path, [&](Position position, const Entry& entry) {
    if (const auto* opened = std::get_if<Opened>(&entry)) {
      epoch = opened->epoch;
    } else if (const auto* create = std::get_if<Create>(&entry); create && position == found.incarnation) {
      model = std::make_shared<HostedModel>(*create);
      model->created(position);
      if (found.promoted > 0) return;
      dumped.state = create->state;
      begin();
    } else if (const auto* apply = std::get_if<Apply>(&entry); apply && apply->incarnation == found.incarnation) {
      if (!model || position <= model->position()) return;
      const Round next = model->model().ledger().issued() + 1;
      model->at(position);
      const Folded folded = model->apply(*apply, epoch);
      if (folded.fate != Fate::kApplied || folded.held || folded.stray) return;
      tell(apply->event, next, position);
    } else if (const auto* activate = std::get_if<Activate>(&entry);
               activate && activate->incarnation == found.incarnation) {
      if (!model || position <= model->position()) return;
      model->at(position);
      for (const Activated::Passed& passed : model->activate(*activate).passed)
        if (passed.folded.fate == Fate::kApplied) tell(passed.event, 0, position);
    } else if (model && position > model->position() && incarnation_of(entry) == found.incarnation) {
      model->at(position);
      if (const auto* challenge = std::get_if<Challenge>(&entry)) model->challenge(*challenge);
      if (const auto* dismiss = std::get_if<Dismiss>(&entry)) model->dismiss(*dismiss);
      if (const auto* promote = std::get_if<Promote>(&entry)) model->promote(*promote);
      if (position == found.promoted) begin_with_state();
    }
  });
  dumped.hash = model->model().hash();
  return dumped;
}

}  // namespace tarry::store
