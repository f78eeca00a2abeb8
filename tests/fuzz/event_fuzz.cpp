// Any text and any bytes as an event: what is read is written as it is read again, in both forms.
#include <cstdlib>

#include "tarry/base/error.h"
#include "tarry/model/codec.h"
#include "tarry/spec/json.h"

namespace {

using namespace tarry;

void expect(bool holds) {
  if (!holds) std::abort();
}

Event from_text(std::string_view text) {
  const spec::Value value = spec::parse_json(text);
  return read_event(spec::Node(value, "event"));
}

void try_text(std::string_view text) {
  try {
    const Event event = from_text(text);
    const std::string written = event_json(event);  // with names in order, however they came
    expect(event_json(from_text(written)) == written);
    const std::string bytes = event_bytes(event);
    expect(event_bytes(event_from_bytes(bytes)) == bytes && event_json(event_from_bytes(bytes)) == written);
  } catch (const Error& error) {
    expect(error.code() != Code::kCorrupt && error.code() != Code::kInternal);
  }
}

void try_bytes(std::string_view bytes) {
  std::string written;
  try {
    const Event event = event_from_bytes(bytes);
    expect(event_bytes(event) == bytes);
    written = event_json(event, 1);
  } catch (const Error& error) {
    expect(error.code() == Code::kCorrupt);
    return;
  }
  try_text(written);  // which may be refused: bytes can hold numbers that text cannot
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try_text(bytes);
  try_bytes(bytes);
  return 0;
}
