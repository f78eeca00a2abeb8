#include "tarry/data/formats/sparse_rows.h"

#include <algorithm>
#include <cstring>
#include <memory>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace tarry::data {
namespace {

// In memory that is about to be filled: clearing small pages one by one takes longer than reading into them. A wish:
// without large pages it works as well.
void wish_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef __linux__
  constexpr std::size_t kPage = std::size_t{2} << 20;
  void* begin = memory;
  if (std::align(kPage, kPage, begin, bytes) != nullptr) ::madvise(begin, bytes / kPage * kPage, MADV_HUGEPAGE);
#endif
}

// Memory that is never written costs nothing: better a little too much than to move everything once more.
template <class T>
void make_room_for_all(std::vector<T>& vector, double share) {
  constexpr double kMore = 1.1;
  const auto all = static_cast<std::size_t>(kMore * static_cast<double>(vector.size()) / share);
  if (all <= vector.capacity()) return;
  std::vector<T> larger;
  larger.reserve(all);
  wish_for_large_pages(larger.data(), all * sizeof(T));
  larger.insert(larger.end(), vector.begin(), vector.end());
  vector = std::move(larger);
}

}  // namespace

// Bits are compared: −0 is not 0 here.
template <class T>
std::size_t SparseRows::Lists<T>::close() {
  const std::size_t count = all.size() - end;
  if (count <= end - last && (count == 0 || std::memcmp(all.data() + last, all.data() + end, count * sizeof(T)) == 0)) {
    all.resize(end);
    return last;
  }
  last = end;
  end = all.size();
  return last;
}

void SparseRows::clear_open() {
  indices_.all.resize(indices_.end);
  values_.all.resize(values_.end);
}

void SparseRows::end_row() {
  const std::size_t count = indices_.all.size() - indices_.end;
  rows_.push_back({indices_.close(), values_.close(), count});
}

void SparseRows::make_room(double share) {
  share = std::min(share, 1.0);
  make_room_for_all(rows_, share);
  make_room_for_all(indices_.all, share);
  make_room_for_all(values_.all, share);
}

}  // namespace tarry::data
