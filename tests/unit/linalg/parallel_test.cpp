#include "tarry/linalg/parallel.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace tarry {
namespace {

TEST(ParallelChunks, CoverEveryIndexOnce) {
  for (int threads : {1, 2, 4})
    for (Index n : {Index{0}, Index{1}, Index{99}, Index{100}, Index{101}, Index{1000}}) {
      const ThreadLimit limit(threads);
      std::vector<int> visits(static_cast<std::size_t>(n), 0);
      parallel_chunks(n, 100, [&](Index chunk, Index begin, Index end) {
        EXPECT_EQ(begin, 100 * chunk);
        EXPECT_LE(end - begin, 100);
        for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
      });
      for (int count : visits) ASSERT_EQ(count, 1);
    }
}

TEST(ParallelChunks, PassAnExceptionOn) {
  for (int threads : {1, 2}) {
    const ThreadLimit limit(threads);
    EXPECT_THROW(parallel_chunks(10, 1,
                                 [](Index k, Index, Index) {
                                   if (k == 7) throw std::runtime_error("seven");
                                 }),
                 std::runtime_error);
  }
}

}  // namespace
}  // namespace tarry
