// Any text as TOML: a Value whose nodes know their line, or Error; and what is a set can be made.
#include <algorithm>
#include <cstdlib>

#include "small.h"
#include "tarry/base/error.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"
#include "tarry/spec/toml.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tarry;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const spec::Value value = spec::parse_toml(text);
    if (value.line > 1 + std::count(text.begin(), text.end(), '\n')) std::abort();
    spec::to_json(value);
    if (fuzz::is_small(value)) make_set(spec::Node(value, "set"));
  } catch (const Error& error) {
    if (std::string_view(error.what()).find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
