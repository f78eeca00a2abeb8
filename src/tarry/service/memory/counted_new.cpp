// Operator new and delete of a program that counts. Everything that allocates in C++ comes by here; what a C library or
// Eigen takes from malloc does not, and is not counted.
#include <malloc.h>

#include <array>
#include <atomic>
#include <cstdlib>
#include <new>

#include "tarry/base/tally.h"
#include "tarry/service/memory/memory.h"

namespace tarry::service {
namespace {

constexpr std::int64_t kTold = std::int64_t{64} << 10;  // a thread reports what it has once it is so much
constexpr std::size_t kSmall = std::size_t{64} << 10;   // what the reserve is for
constexpr std::size_t kPiece = std::size_t{4} << 20;    // of the reserve: more than the C library asks for at a time
constexpr std::size_t kPieces = 8;

constinit std::atomic<std::int64_t> told_bytes = 0;
constinit std::array<std::atomic<void*>, kPieces> reserve{};
constinit thread_local std::int64_t untold = 0;
constinit thread_local bool may_fail = false;
constinit thread_local void* room = nullptr;
constinit std::atomic<std::int64_t> fails_in = 0;
constinit std::atomic<bool> has_failed = false;

void count(std::int64_t bytes) noexcept {
  thread_tally += bytes;
  untold += bytes;
  if (untold < kTold && untold > -kTold) return;
  told_bytes.fetch_add(untold, std::memory_order_relaxed);
  untold = 0;
}

// Gives the C library something back. False: nothing is left that this allocation may have.
bool give_way(std::size_t bytes) noexcept {
  if (room != nullptr) {
    std::free(room);
    room = nullptr;
    return true;
  }
  if (may_fail || bytes > kSmall) return false;
  for (auto& piece : reserve) {
    if (void* held = piece.exchange(nullptr)) {
      std::free(held);
      return true;
    }
  }
  return false;
}

bool made_to_fail() noexcept {
  if (!may_fail || fails_in.load(std::memory_order_relaxed) <= 0 || --fails_in != 0) return false;
  has_failed = true;
  return true;
}

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  if (bytes == 0) bytes = 1;
  if (made_to_fail()) return nullptr;
  for (;;) {
    void* memory = alignment <= alignof(std::max_align_t)
                       ? std::malloc(bytes)
                       : std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (memory != nullptr) {
      count(static_cast<std::int64_t>(malloc_usable_size(memory)));
      return memory;
    }
    if (!give_way(bytes)) return nullptr;
  }
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* memory = allocate(bytes, alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  count(-static_cast<std::int64_t>(malloc_usable_size(memory)));
  std::free(memory);
}

}  // namespace

std::int64_t allocated_bytes() noexcept { return told_bytes.load(std::memory_order_relaxed); }

MayFail::MayFail() noexcept : before_(may_fail) { may_fail = true; }
MayFail::~MayFail() { may_fail = before_; }

Room::Room(std::size_t bytes) : own_(allocations_can_fail() && room == nullptr) {
  if (!own_) return;
  room = std::malloc(bytes);
  if (room == nullptr) throw std::bad_alloc();
}
Room::~Room() {
  if (!own_) return;
  std::free(room);
  room = nullptr;
}

bool fill_reserve() noexcept {
  if (!allocations_can_fail()) return true;
  for (auto& piece : reserve) {
    if (piece.load() != nullptr) continue;
    void* more = std::malloc(kPiece);
    if (more == nullptr) return false;
    void* none = nullptr;
    if (!piece.compare_exchange_strong(none, more)) std::free(more);
  }
  return true;
}

bool reserve_is_half_full() noexcept {
  std::size_t held = 0;
  for (const auto& piece : reserve) held += piece.load() != nullptr ? 1 : 0;
  return 2 * held >= kPieces;
}

void fail_allocation(std::int64_t n) noexcept {
  fails_in = n;
  has_failed = false;
}
bool allocation_failed() noexcept { return has_failed; }

}  // namespace tarry::service

using tarry::service::allocate;
using tarry::service::allocate_or_throw;
using tarry::service::release;

void* operator new(std::size_t n) { return allocate_or_throw(n, 1); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, 1); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, 1); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, static_cast<std::size_t>(a)); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
