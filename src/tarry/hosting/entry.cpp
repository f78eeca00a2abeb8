#include "tarry/hosting/entry.h"

#include <algorithm>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/overload.h"
#include "tarry/model/codec.h"

namespace tarry::hosting {
namespace {

enum Kind : std::uint8_t {
  kOpened,
  kCreate,
  kDelete,
  kApply,
  kCreateFrom,
  kDeferred,
  kActivate,
  kChallenge,
  kDismiss,
  kPromote
};

// The version that a kind is written in.
std::uint8_t version_of(std::uint8_t kind) { return kind >= kChallenge ? 4 : kind >= kDeferred ? 3 : 2; }

[[noreturn]] void refuse(const std::string& why) { throw Error(Code::kCorrupt, "log entry: " + why); }

void begin(ByteWriter& out, Kind kind) {
  out.u8(version_of(kind));
  out.u8(kind);
}

Apply take_apply(ByteReader& in) {
  Apply entry{.event = Void{Round{1}}};
  entry.incarnation = in.u64();
  entry.at_ms = in.i64();
  const std::uint8_t has_once = in.u8();
  if (has_once > 1) refuse("a flag is neither 0 nor 1");
  if (has_once == 1) {
    entry.once.emplace();
    entry.once->key = in.text();
    entry.once->digest = in.u64();
    entry.once->index = in.u64();
  }
  entry.event = event_from_bytes(in.view());
  return entry;
}

Create take_create(ByteReader& in) {
  Create entry{.name = in.text()};
  entry.spec = in.text();
  entry.at_ms = in.i64();
  return entry;
}

Activate take_activate(ByteReader& in) {
  Activate entry{.incarnation = in.u64()};
  entry.at_ms = in.i64();
  entry.round = in.u64();
  if (entry.round == 0 || entry.round > kLastRound) refuse("a round must be from 1 to 2^53");
  return entry;
}

template <class About>
About take_about(ByteReader& in) {
  About entry;
  entry.incarnation = in.u64();
  entry.at_ms = in.i64();
  entry.challenger = in.text();
  return entry;
}

template <class About>
void put_about(ByteWriter& out, Kind kind, const About& entry) {
  begin(out, kind);
  out.u64(entry.incarnation);
  out.i64(entry.at_ms);
  out.text(entry.challenger);
}

Entry take_entry(ByteReader& in, std::uint8_t version) {
  const std::uint8_t kind = in.u8();
  if (version_of(kind) != std::max<std::uint8_t>(version, 2)) refuse("no such kind in this version");
  switch (kind) {
    case kOpened: {
      Opened entry{.epoch = in.u64()};
      entry.at_ms = in.i64();
      entry.engine = in.text();
      if (version > 1) entry.arithmetic = in.u64();
      return entry;
    }
    case kCreate:
      return take_create(in);
    case kCreateFrom: {
      Create entry = take_create(in);
      entry.state = in.text();
      if (entry.state.empty()) refuse("a state is empty");
      return entry;
    }
    case kDelete:
      return Delete{in.u64()};
    case kApply:
      return take_apply(in);
    case kDeferred: {
      Apply entry = take_apply(in);
      if (!std::holds_alternative<Play>(entry.event)) refuse("what is deferred must be a play");
      entry.deferred = true;
      return entry;
    }
    case kActivate:
      return take_activate(in);
    case kChallenge: {
      auto entry = take_about<Challenge>(in);
      entry.spec = in.text();
      return entry;
    }
    case kDismiss:
      return take_about<Dismiss>(in);
    case kPromote:
      return take_about<Promote>(in);
    default:
      refuse("no such kind");
  }
}

}  // namespace

std::string entry_bytes(const Apply& entry) {
  ByteWriter out;
  begin(out, entry.deferred ? kDeferred : kApply);
  out.u64(entry.incarnation);
  out.i64(entry.at_ms);
  out.u8(entry.once.has_value());
  if (entry.once) {
    out.text(entry.once->key);
    out.u64(entry.once->digest);
    out.u64(entry.once->index);
  }
  out.text(event_bytes(entry.event));
  return out.take();
}

std::string entry_bytes(const Entry& entry) {
  if (const auto* apply = std::get_if<Apply>(&entry)) return entry_bytes(*apply);
  ByteWriter out;
  std::visit(Overload{[&](const Opened& e) {
                        begin(out, kOpened);
                        out.u64(e.epoch);
                        out.i64(e.at_ms);
                        out.text(e.engine);
                        out.u64(e.arithmetic);
                      },
                      [&](const Create& e) {
                        begin(out, e.state.empty() ? kCreate : kCreateFrom);
                        out.text(e.name);
                        out.text(e.spec);
                        out.i64(e.at_ms);
                        if (!e.state.empty()) out.text(e.state);
                      },
                      [&](const Delete& e) {
                        begin(out, kDelete);
                        out.u64(e.incarnation);
                      },
                      [&](const Activate& e) {
                        begin(out, kActivate);
                        out.u64(e.incarnation);
                        out.i64(e.at_ms);
                        out.u64(e.round);
                      },
                      [&](const Challenge& e) {
                        put_about(out, kChallenge, e);
                        out.text(e.spec);
                      },
                      [&](const Dismiss& e) { put_about(out, kDismiss, e); },
                      [&](const Promote& e) { put_about(out, kPromote, e); }, [](const Apply&) {}},
             entry);
  return out.take();
}

Position incarnation_of(const Entry& entry) {
  return std::visit(
      [](const auto& e) -> Position {
        if constexpr (requires { e.incarnation; }) return e.incarnation;
        return 0;
      },
      entry);
}

bool is_event_of(std::string_view bytes, Position incarnation) {
  constexpr std::size_t kHead = 2;  // its version and its kind
  if (bytes.size() < kHead + sizeof(Position)) return false;
  const auto kind = static_cast<std::uint8_t>(bytes[1]);
  if (kind != kApply && kind != kDeferred) return false;
  ByteReader in(bytes.substr(kHead));
  return in.u64() == incarnation;
}

Entry entry_from_bytes(std::string_view bytes) {
  ByteReader in(bytes);
  const std::uint8_t version = in.u8();
  if (version == 0 || version > kEntryVersion)
    refuse("version " + std::to_string(version) + " is not one this program reads (1 to " +
           std::to_string(kEntryVersion) + ")");
  Entry entry = take_entry(in, version);
  in.expect_end();
  return entry;
}

}  // namespace tarry::hosting
