#include "tarry/linalg/matrices/panel.h"

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/linalg/dense_kernels.h"
#include "tarry/linalg/parallel.h"

namespace tarry {
namespace {

constexpr std::size_t kNumbersWorthThreads = 100'000;  // numbers
constexpr std::size_t kTall = 50'000;                  // a dot of such columns uses threads by itself
constexpr Index kColumnsAtOnce = 8;
constexpr Index kRowsAtOnce = 1024;

}  // namespace

Vec Panel::dots(std::span<const double> x) const {
  Vec out(size());
  const auto some = [&](Index, Index begin, Index end) {
    for (auto k = static_cast<std::size_t>(begin); k < static_cast<std::size_t>(end); ++k)
      out[k] = kernels::dot(columns_[k], x.first(columns_[k].size()));
  };
  const auto count = static_cast<Index>(size());
  if (size() * x.size() >= kNumbersWorthThreads && x.size() < kTall)
    parallel_chunks(count, kColumnsAtOnce, some);
  else
    some(0, 0, count);
  return out;
}

// Rows in pieces that stay in the first-level cache while all columns are added to them.
void Panel::combine(std::span<const double> weights, std::span<double> out) const {
  const auto some = [&](Index, Index begin, Index end) {
    const auto first = static_cast<std::size_t>(begin);
    for (std::size_t k = 0; k < size(); ++k) {
      if (weights[k] == 0 || columns_[k].size() <= first) continue;
      const std::size_t count = std::min(static_cast<std::size_t>(end), columns_[k].size()) - first;
      kernels::blend(out.subspan(first, count), 1, std::span(columns_[k]).subspan(first, count), weights[k]);
    }
  };
  const auto height = static_cast<Index>(out.size());
  if (size() * out.size() >= kNumbersWorthThreads)
    parallel_chunks(height, kRowsAtOnce, some);
  else
    for (Index begin = 0; begin < height; begin += kRowsAtOnce) some(0, begin, std::min(height, begin + kRowsAtOnce));
}

void Panel::save(ByteWriter& out) const {
  out.u64(size());
  for (const Vec& column : columns_) out.reals(column);
}

void Panel::load(ByteReader& in, std::size_t height) {
  Panel fresh;
  for (std::uint64_t left = in.u64(); left > 0; --left) {
    fresh.append(in.reals());
    if (fresh.columns_.back().size() > height) throw Error(Code::kCorrupt, "snapshot: a factor is too long");
  }
  *this = std::move(fresh);
}

}  // namespace tarry
