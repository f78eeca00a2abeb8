// Any bytes as a file that may be packed: its text, which is the bytes themselves where it is not gzip, or an Error
// that names it; the same when it is read ahead. The file lies in memory.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "tarry/base/error.h"
#include "tarry/data/text/read_ahead.h"
#include "tarry/data/text/text_source.h"

namespace {

void expect(bool holds) {
  if (!holds) std::abort();
}

std::string text_of(const tarry::ByteSource& source) {
  std::string text;
  char piece[997];
  while (const std::size_t n = source(piece, sizeof piece)) text.append(piece, n);
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  static const int file = ::memfd_create("fuzz", 0);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  expect(::ftruncate(file, 0) == 0 && ::pwrite(file, data, size, 0) == static_cast<ssize_t>(size));
  try {
    const std::string text = text_of(tarry::data::open_text(path));
    expect(bytes.starts_with("\x1f\x8b") || text == bytes);
    const auto behind = std::make_shared<tarry::data::Taken>(), taken = std::make_shared<tarry::data::Taken>();
    expect(text_of(tarry::data::read_ahead(tarry::data::open_text(path, behind), behind, taken)) == text);
    expect(taken->bytes == size);
  } catch (const tarry::Error& error) {
    expect(bytes.starts_with("\x1f\x8b") && error.code() == tarry::Code::kCorrupt);
    expect(std::string_view(error.what()).starts_with(path));
  }
  return 0;
}
