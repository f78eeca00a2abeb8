// JSON text to a Value.
#pragma once

#include <memory>
#include <string_view>

#include "tarry/spec/value.h"

namespace tarry::spec {

// Keeps its buffers between documents: one reader for many lines of a log.
class JsonReader {
 public:
  JsonReader();
  ~JsonReader();
  JsonReader(JsonReader&&) noexcept;
  JsonReader& operator=(JsonReader&&) noexcept;

  // Throws Error{kBadInput}: "not valid JSON (…)", without a place, which the caller knows.
  Value read(std::string_view text);

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

Value parse_json(std::string_view text);

}  // namespace tarry::spec
