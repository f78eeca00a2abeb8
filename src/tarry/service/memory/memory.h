// Memory as the service sees it: how much there is, how much is in use, and what happens when there is no more.
//
// In a program that links this, operator new counts (counted_new.cpp). Where an allocation fails, one that a request
// alone wants throws std::bad_alloc, and the request is answered 507. What must not fail half way gets what was laid
// by: a thread's own Room while an event is folded, and the common reserve for the small things around it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tarry::service {

// Bytes allocated and not freed by the whole program, to within 64 KiB a thread.
std::int64_t allocated_bytes() noexcept;

// Three quarters of what this machine has, or of what its control group allows where that is less.
std::uint64_t default_most_memory();
// Of this process: a limit on addresses (ulimit -v), or a system that promises no more than it has. Elsewhere an
// allocation does not fail, and nothing need be laid by.
bool allocations_can_fail();
// Before any thread begins. Where allocations can fail, all threads share one heap: each of their own would take 64 MiB
// of addresses, and what one gives back another could not have.
void prepare_for_failing_allocations();

// While one is there, this thread's allocations do not touch the reserve: they are a request's own.
class MayFail {
 public:
  MayFail() noexcept;
  ~MayFail();
  MayFail(const MayFail&) = delete;
  MayFail& operator=(const MayFail&) = delete;

 private:
  bool before_;
};

// So many bytes that this thread can surely allocate while it is there. Throws std::bad_alloc, and nothing has begun.
class Room {
 public:
  explicit Room(std::size_t bytes);
  ~Room();
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

 private:
  bool own_;
};

// Lays by what the reserve has lost; now and then. False: there is not enough memory for that.
bool fill_reserve() noexcept;
bool reserve_is_half_full() noexcept;

// For tests: the n-th allocation from now on that may fail does; 0: none does. Whether it came to that.
void fail_allocation(std::int64_t n) noexcept;
bool allocation_failed() noexcept;

}  // namespace tarry::service
