#include "tarry/hosting/frozen_hosted.h"

#include "tarry/model/codec.h"

namespace tarry::hosting {

void FrozenHosted::save(ByteWriter& out, const std::string& hash) const {
  out.text(name);
  out.text(model.spec);
  out.text(hash);
  out.u64(incarnation);
  out.u64(position);
  out.u64(epochs.size());
  for (const auto& [round, epoch] : epochs) {
    out.u64(round);
    out.u64(epoch);
  }
  out.u64(issued_ms.size());
  issued_ms.each([&](Round round, std::int64_t since) {
    out.u64(round);
    out.i64(since);
  });
  retries.save(out);
  told.save(out);
  model.save(out);
  const bool alone = challengers.empty() && champion == kOriginal;
  if (deferred.empty() && alone) return;  // what most models are: they end here, as before there was more
  out.u8(kDeferredFormat);
  out.u64(deferred.size());
  deferred.each([&](Round round, const Shared<std::vector<Label>>& labels) {
    out.u64(round);
    out.u64(labels->size());
    for (const Label& label : *labels) out.text(event_bytes(label));
  });
  if (alone) return;
  out.u8(kChallengersFormat);
  out.text(champion);
  out.text(first_spec);
  out.u64(challengers.size());
  for (const FrozenChallenger& each : challengers) each.save(out);
}

}  // namespace tarry::hosting
