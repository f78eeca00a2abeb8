#include "tarry/base/error.h"

#include <array>

namespace tarry {
namespace {

constexpr std::array<ErrorRow, kCodeCount> kErrorRows{{
    {Code::kBadSpec, "bad_spec", 2, 400, "ValueError"},
    {Code::kBadInput, "bad_input", 2, 400, "ValueError"},
    {Code::kConflict, "conflict", 2, 409, "ValueError"},
    {Code::kUnsupported, "unsupported", 2, 422, "ValueError"},
    {Code::kCorrupt, "corrupt", 2, 500, "ValueError"},
    {Code::kIo, "io", 1, 500, "OSError"},
    {Code::kFull, "full", 1, 507, "OSError"},
    {Code::kOutOfMemory, "out_of_memory", 1, 507, "MemoryError"},
    {Code::kInternal, "internal", 1, 500, "RuntimeError"},
}};

std::string without_nul(const std::string& message) {
  std::string shown;
  for (const char c : message) {
    if (c == '\0')
      shown += "\\u0000";
    else
      shown += c;
  }
  return shown;
}

}  // namespace

Error::Error(Code code, const std::string& message) : std::runtime_error(without_nul(message)), code_(code) {}

std::span<const ErrorRow> error_table() { return kErrorRows; }

const ErrorRow& error_row(Code code) {
  for (const ErrorRow& row : kErrorRows)
    if (row.code == code) return row;
  return kErrorRows.back();
}

}  // namespace tarry
