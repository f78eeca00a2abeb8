#include "tarry/linalg/sparse/coordinate_numbers.h"

#include <algorithm>
#include <string>

#include "tarry/base/contract.h"

namespace tarry {

CoordinateNumbers::CoordinateNumbers(Index dimension, std::size_t each)
    : dimension_(dimension), each_(each), stride_(std::bit_ceil(each)), numbers_(stride_) {}

double* CoordinateNumbers::add(std::uint32_t slot) {
  ensure(slot == filled_, "slots are filled one after the other");
  double* numbers = numbers_.add(slot);
  filled_ = slot + 1;
  std::fill_n(numbers, stride_, 0.0);
  return numbers;
}

void CoordinateNumbers::save(ByteWriter& out) const {
  save(out, [&](Index, const double* numbers) {  // bit for bit: −0 is not what an untouched coordinate has
    return std::any_of(numbers, numbers + each_, [](double x) { return std::bit_cast<std::uint64_t>(x) != 0; });
  });
}

void CoordinateNumbers::load(ByteReader& in) {
  const Index dimension = in.i64();
  const std::uint64_t each = in.u64();
  if (dimension != dimension_ || each != each_)
    throw Error(Code::kCorrupt, "snapshot: it has " + std::to_string(each) + " numbers for each of " +
                                    std::to_string(dimension) + " coordinates where " + std::to_string(each_) +
                                    " for each of " + std::to_string(dimension_) + " are wanted");
  *this = CoordinateNumbers(dimension_, each_);
  Index last = -1;
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    const Index i = in.i64();
    if (i <= last || i >= dimension_) throw Error(Code::kCorrupt, "snapshot: its coordinates are not in order");
    last = i;
    double* numbers = touch(i);
    for (std::size_t k = 0; k < each_; ++k) numbers[k] = in.f64();
  }
}

}  // namespace tarry
