// Any text as a log: Replay::line either plays it or throws Error, and every decision it gives lies in the set.
#include <cstdlib>

#include "small.h"
#include "tarry/base/error.h"
#include "tarry/base/lines.h"
#include "tarry/model/replay.h"

namespace {

using namespace tarry;

constexpr double kTolerance = 1e-6;

// Headers that ask for a large set are left alone; lines that are no JSON are for Replay to refuse.
bool is_cheap(std::string_view line) {
  try {
    return fuzz::is_small(spec::parse_json(line));
  } catch (const Error&) {
    return true;
  }
}

void play(LineReader& lines) {
  Replay replay;
  for (std::string_view line; lines.next(line);) {
    if (!replay.started() && !is_cheap(line)) return;
    const bool played = !replay.line(line).empty();
    if (!played || !replay.started() || !fuzz::is_plain(spec::parse_json(replay.model().spec()))) continue;
    if (!replay.model().set().contains(replay.model().decision(), kTolerance)) std::abort();
  }
  replay.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  LineReader lines([&](char* into, std::size_t room) {
    const std::size_t n = rest.copy(into, std::min<std::size_t>(room, 100));
    rest.remove_prefix(n);
    return n;
  });
  try {
    play(lines);
  } catch (const Error&) {
  }
  return 0;
}
