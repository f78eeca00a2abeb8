#include "tarry/linalg/large_vector.h"

#include <new>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tarry {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;
constexpr std::size_t kLargeFrom = 2 * kPage;  // below, rounding up to whole large pages wastes too much
constexpr std::size_t kCacheLine = 64;         // what is shorter has none of its own

bool is_large(std::size_t bytes) { return bytes >= kLargeFrom || bytes == kPage; }
std::size_t whole_pages(std::size_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

}  // namespace

void* allocate_large(std::size_t bytes) {
  if (bytes < kCacheLine) return ::operator new(bytes);
  if (!is_large(bytes)) return ::operator new(bytes, std::align_val_t(kCacheLine));
  void* memory = ::operator new(whole_pages(bytes), std::align_val_t(kPage));
#ifdef __linux__
  ::madvise(memory, whole_pages(bytes), MADV_HUGEPAGE);  // a wish: without large pages it works as well, slower
#endif
  return memory;
}

void free_large(void* memory, std::size_t bytes) noexcept {
  if (bytes < kCacheLine)
    ::operator delete(memory);
  else if (!is_large(bytes))
    ::operator delete(memory, std::align_val_t(kCacheLine));
  else
    ::operator delete(memory, std::align_val_t(kPage));
}

}  // namespace tarry
