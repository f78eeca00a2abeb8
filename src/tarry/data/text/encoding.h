// Text of any encoding as UTF-8: UTF-16 by its first bytes and, where bytes are not UTF-8, Windows-1252, which includes
// Latin-1. Files that are no text at all are refused by name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tarry/base/lines.h"

namespace tarry::data {

// "utf-8" until something else is seen.
struct SeenEncoding {
  std::string name = "utf-8";
};

// The same text as UTF-8; `name` is what messages call the file. Throws Error{kBadInput} for a workbook, an archive, …
ByteSource as_utf8(std::string name, ByteSource source, std::shared_ptr<SeenEncoding> seen);

// What a file with these first bytes is where it is no text, and what to do with it; empty: it may be text.
std::string not_text(std::string_view first_bytes, std::string_view name);

}  // namespace tarry::data
