#include "tarry/service/stored_round.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/service/models/round_lookup.h"
#include "tarry/service/watch/kept_watch.h"
#include "tarry/store/disk/kept_file.h"
#include "tarry/store/disk/key_file.h"
#include "tarry/store/journal/recovery.h"
#include "tarry/store/snapshots/read_models.h"

namespace tarry::service {
namespace {

RoundsRequest request_of(store::Disk& disk, const std::string& path, const StoredRound& asked) {
  RoundsRequest request;
  if (asked.number > 0) {
    request.round = RoundName(asked.number);
  } else if (asked.ticket.empty()) {
    request.round = RoundName(asked.key);
  } else {
    const auto key = store::read_key(disk, path);
    if (key) request.ticket = hosting::read_ticket(asked.ticket, key->key);
    if (!request.ticket) throw Error(Code::kBadInput, "--ticket: this ticket was not made by this store");
  }
  return request;
}

ReadLog reads_journal(store::Disk& disk, const std::string& path) {
  return [&disk, path](hosting::Position after, const auto& visit) {
    const std::string folder = path + "/journal";
    if (store::examine(disk, folder).first > after + 1) throw Error(Code::kBadInput, "the log begins later");
    bool more = true;
    store::examine(disk, folder, [&](const store::Record& record, std::uint64_t /*offset*/) {
      if (more && record.kind == store::RecordKind::kData && record.position > after)
        more = visit(record.position, record.payload);
      return true;
    });
  };
}

}  // namespace

std::string stored_round(store::Disk& disk, const std::string& path, const std::string& model, const StoredRound& asked,
                         std::int64_t now_ms) {
  const hosting::Models models = store::read_models(disk, path, [](auto, auto) {});
  const hosting::ModelPointer hosted = models.find(model);
  if (!hosted) throw Error(Code::kBadInput, fmt::format("--model: {} has no model \"{}\"", path, model));
  const RoundsRequest request = request_of(disk, path, asked);
  Served served(hosted, nullptr);
  if (const auto kept = store::read_kept(disk, path + "/watch", store::kept_name(hosted->incarnation())))
    keep_on(served.watched, *kept);
  try {
    const LookedRounds looked = look_at_rounds(served, request);
    return rounds_json(served, looked, search_log(reads_journal(disk, path), looked.search), now_ms);
  } catch (const hosting::Rejection& rejection) {
    throw Error(Code::kBadInput, rejection.what());
  }
}

}  // namespace tarry::service
