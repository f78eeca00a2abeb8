// Copy on write: several owners hold one value, and an owner that changes it while others hold it changes a copy.
// Owners may be in different threads.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace tarry {

template <class T>
class Shared {
 public:
  explicit Shared(T value) : held_(new Held{.value = std::move(value)}) {}
  Shared(const Shared& other) noexcept : held_(other.held_) { held_->holders.fetch_add(1, std::memory_order_relaxed); }
  Shared(Shared&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  ~Shared() {
    if (held_ != nullptr && held_->holders.fetch_sub(1, std::memory_order_acq_rel) == 1) delete held_;
  }

  const T& operator*() const { return held_->value; }
  const T* operator->() const { return &held_->value; }

  T& own() {
    if (held_->holders.load(std::memory_order_acquire) > 1) *this = Shared(held_->value);
    return held_->value;
  }

 private:
  struct Held {
    std::atomic<std::uint32_t> holders = 1;
    T value;
  };
  Held* held_;
};

}  // namespace tarry
