// The one way work is spread over threads: fixed chunks, whose results the caller combines in chunk order, so
// that the outcome does not depend on how many threads there were.
#pragma once

#include <functional>

#include "tarry/linalg/covector.h"

namespace tarry {

// Calls body(chunk, begin, end) once for each chunk of [0, n); chunks may run at the same time.
void parallel_chunks(Index n, Index chunk_size, const std::function<void(Index chunk, Index begin, Index end)>& body);

int thread_count();  // how many it may use

// Limits the threads that parallel_chunks uses, while it lives; for one program-wide setting, not to be made or
// destroyed inside a body.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads);
  ~ThreadLimit();
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;

 private:
  int previous_;
};

}  // namespace tarry
