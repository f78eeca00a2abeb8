// Any text as LIBSVM's rows.
#include "rows.h"
#include "tarry/data/formats/libsvm_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tarry;
  if (size == 0) return 0;
  data::LibsvmOptions options;
  if ((data[0] & 1) != 0) options.dimension = 9;
  options.intercept = (data[0] & 2) == 0;
  if ((data[0] & 4) != 0) options.shuffle = 5;
  if ((data[0] & 8) != 0) options.limit = 2;
  fuzz::expect_rows({reinterpret_cast<const char*>(data + 1), size - 1},
                    [&](data::TextLines& lines) { return data::read_libsvm(lines, options); });
  return 0;
}
