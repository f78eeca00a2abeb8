// How much memory a piece of work took and kept. A program that counts replaces operator new (service/counted_new.cpp)
// and keeps the tally; in any other program it stays zero.
#pragma once

#include <cstdint>

namespace tarry {

// Bytes that this thread has allocated, less those it has freed.
inline constinit thread_local std::int64_t thread_tally = 0;

// From here on, by this thread.
class TallySince {
 public:
  std::int64_t bytes() const { return thread_tally - start_; }

 private:
  std::int64_t start_ = thread_tally;
};

}  // namespace tarry
