// Any text as a linear program, in both formats: read in full with as many bounds as rows and columns, or refused by
// Error.
#include <cstdlib>

#include "tarry/base/error.h"
#include "tarry/oracles/lp_format.h"
#include "tarry/oracles/mps_format.h"

namespace {

using namespace tarry;

template <class Read>
void expect_whole(Read read, std::string_view text) {
  try {
    const oracles::LinearProgram lp = read(text, "fuzz");
    bool whole = lp.row_upper.size() == lp.rows() && lp.upper.size() == lp.cols();
    for (const oracles::Entry& entry : lp.entries)
      whole = whole && entry.row >= 0 && entry.row < static_cast<Index>(lp.rows()) && entry.col >= 0 &&
              entry.col < static_cast<Index>(lp.cols());
    if (!whole) std::abort();
  } catch (const Error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_whole(oracles::read_lp_format, text);
  expect_whole(oracles::read_mps_format, text);
  return 0;
}
