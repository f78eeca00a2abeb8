// So many numbers for each of the slots 0, 1, 2, …, which never move: slabs of 16, 32, 64, … slots.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tarry/base/contract.h"
#include "tarry/linalg/large_vector.h"

namespace tarry {

class NumberSlabs {
 public:
  explicit NumberSlabs(std::size_t each) : each_(each) {}
  NumberSlabs(NumberSlabs&&) noexcept = default;
  NumberSlabs& operator=(NumberSlabs&&) noexcept = default;
  NumberSlabs(const NumberSlabs& other) : each_(other.each_), slabs_(other.slabs_) {
    for (std::size_t k = 0; k < slabs_.size(); ++k) origins_.push_back(origin(k));
  }
  NumberSlabs& operator=(const NumberSlabs& other) {
    if (this != &other) *this = NumberSlabs(other);
    return *this;
  }

  // Finds slots, until one is added.
  auto look_up() const {
    return [origins = origins_.data(), bytes = each_ * sizeof(double)](std::uint32_t slot) {
      return reinterpret_cast<double*>(origins[slab_of(slot)] + slot * bytes);
    };
  }
  double* at(std::uint32_t slot) const { return look_up()(slot); }
  // Room for a slot, the first without; what is in it is anything.
  double* add(std::uint32_t slot) {
    const std::size_t slab = slab_of(slot);
    ensure(slab <= slabs_.size(), "slabs are made one after the other");
    if (slab == slabs_.size()) {
      slabs_.emplace_back((std::size_t{kFirst} << slab) * each_);
      origins_.push_back(origin(slab));
    }
    return at(slot);
  }

 private:
  static constexpr std::uint32_t kFirst = 16;
  static constexpr int kFirstWidth = std::bit_width(kFirst);

  static std::size_t slab_of(std::uint32_t slot) {
    return static_cast<std::size_t>(std::bit_width(std::uint64_t{slot} + kFirst) - kFirstWidth);
  }
  std::uintptr_t origin(std::size_t slab) const {
    const std::size_t before = kFirst * ((std::size_t{1} << slab) - 1);
    return reinterpret_cast<std::uintptr_t>(slabs_[slab].data()) - before * each_ * sizeof(double);
  }

  std::size_t each_;
  std::vector<UnfilledVector<double>> slabs_;
  std::vector<std::uintptr_t> origins_;  // where slot 0 would be if all slots lay as those of this slab do
};

}  // namespace tarry
