#include "tarry/model/snapshot.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

constexpr std::string_view kMagic = "TARRYMDL";
constexpr std::size_t kTail = 8 + 8;  // the state's length, the checksum

[[noreturn]] void corrupt(const std::string& why) { throw Error(Code::kCorrupt, "snapshot: " + why); }

struct Opened {
  SnapshotHead head;
  std::string_view state;
};

Opened open(std::string_view snapshot) {
  if (!snapshot.starts_with(kMagic)) corrupt("does not begin with TARRYMDL");
  if (snapshot.size() < kMagic.size() + 8 + kTail) corrupt("ends early");
  ByteReader head(snapshot.substr(kMagic.size()));
  if (const std::uint64_t format = head.u64(); format != kSnapshotFormat)
    corrupt(fmt::format("format {} is not one this program reads ({})", format, kSnapshotFormat));
  ByteReader tail(snapshot.substr(snapshot.size() - kTail));
  const std::uint64_t length = tail.u64();
  if (tail.u64() != crc32c(snapshot.substr(0, snapshot.size() - 8))) corrupt("its checksum does not match");
  Opened opened;
  opened.head.engine = head.text();
  opened.head.spec = head.text();
  opened.head.position = head.u64();
  if (head.left() < kTail) corrupt("ends early");
  if (head.left() - kTail != length)
    corrupt(fmt::format("says {} bytes of state, has {}", length, head.left() - kTail));
  opened.state = snapshot.substr(snapshot.size() - kTail - length, length);
  return opened;
}

Model load(const Opened& opened, const ModelSpec& spec) {
  Model model = make_model(spec);
  ByteReader in(opened.state);
  model.load(in);
  in.expect_end();
  return model;
}

template <class AnyModel>
void write(const AnyModel& model, std::string_view spec, std::uint64_t position, const Sink& sink) {
  std::uint32_t crc = 0;
  ByteWriter out([&](std::string_view piece) {
    crc = crc32c(piece, crc);
    sink(piece);
  });
  out.raw(kMagic);
  out.u64(kSnapshotFormat);
  out.text(kVersion);
  out.text(spec);
  out.u64(position);
  const std::size_t before = out.size();
  model.save(out);
  out.u64(out.size() - before);
  out.flush();
  out.u64(crc);
  out.flush();
}

}  // namespace

void write_snapshot(const Model& model, std::uint64_t position, const Sink& sink) {
  write(model, model.spec(), position, sink);
}

void write_snapshot(const FrozenModel& model, std::uint64_t position, const Sink& sink) {
  write(model, model.spec, position, sink);
}

std::string snapshot_bytes(const Model& model, std::uint64_t position) {
  std::string bytes;
  write_snapshot(model, position, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

std::string snapshot_bytes(const FrozenModel& model, std::uint64_t position) {
  std::string bytes;
  write_snapshot(model, position, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

SnapshotHead read_head(std::string_view snapshot) { return open(snapshot).head; }

Model load_snapshot(std::string_view snapshot) {
  const Opened opened = open(snapshot);
  return load(opened, ModelSpec::parse(opened.head.spec));
}

Model load_snapshot(std::string_view snapshot, const ModelSpec& spec) {
  const Opened opened = open(snapshot);
  const std::string difference =
      first_difference(spec.to_value(), spec::parse_json(opened.head.spec), "here", "in the snapshot");
  if (!difference.empty()) throw Error(Code::kBadInput, "snapshot: of another model: " + difference);
  return load(opened, spec);
}

}  // namespace tarry
