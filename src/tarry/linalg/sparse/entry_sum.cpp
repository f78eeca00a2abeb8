#include "tarry/linalg/sparse/entry_sum.h"

#include <algorithm>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/linalg/parallel.h"

namespace tarry {
namespace {

constexpr std::size_t kFewRecent = 64;
constexpr std::size_t kRecentShare = 16;              // filed once they are a sixteenth of the rest
constexpr std::size_t kEntriesWorthThreads = 50'000;  // entries
constexpr Index kLineChunks = 64;

Index key_of(std::uint32_t row, std::uint32_t col) {
  return static_cast<Index>(static_cast<std::uint64_t>(row) << 31 ^ col);
}

bool ascends(const Entry& a, const Entry& b) { return a.major != b.major ? a.major < b.major : a.minor < b.minor; }

// Four sums, so that an addition need not wait for the one before.
double line_dot(const std::uint32_t* at, const double* value, std::size_t n, const double* x) {
  double sum[4] = {};
  std::size_t k = 0;
  for (; k + 4 <= n; k += 4)
    for (std::size_t lane = 0; lane < 4; ++lane) sum[lane] += value[k + lane] * x[at[k + lane]];
  for (; k < n; ++k) sum[0] += value[k] * x[at[k]];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

}  // namespace

double* Compressed::find(std::uint32_t major, std::uint32_t minor) {
  if (major + std::size_t{1} >= begin_.size()) return nullptr;
  const auto first = at_.begin() + static_cast<std::ptrdiff_t>(begin_[major]);
  const auto last = at_.begin() + static_cast<std::ptrdiff_t>(begin_[major + 1]);
  const auto found = std::lower_bound(first, last, minor);
  return found != last && *found == minor ? &value_[static_cast<std::size_t>(found - at_.begin())] : nullptr;
}

void Compressed::absorb(const std::vector<Entry>& entries) {
  if (entries.empty()) return;
  const std::size_t lines = std::max(begin_.size() - 1, entries.back().major + std::size_t{1});
  Compressed merged;
  merged.begin_.reserve(lines + 1);
  merged.at_.reserve(size() + entries.size());
  merged.value_.reserve(size() + entries.size());
  const auto put = [&](std::uint32_t at, double value) {
    merged.at_.push_back(at);
    merged.value_.push_back(value);
  };
  auto next = entries.begin();
  for (std::size_t i = 0; i < lines; ++i) {
    const bool old = i + 1 < begin_.size();
    std::size_t k = old ? begin_[i] : 0;
    const std::size_t end = old ? begin_[i + 1] : 0;
    const auto here = [&] { return next != entries.end() && next->major == i; };
    while (k < end || here()) {
      if (here() && (k == end || next->minor < at_[k])) {
        put(next->minor, next->value);
        ++next;
      } else {
        put(at_[k], value_[k]);
        ++k;
      }
    }
    merged.begin_.push_back(merged.at_.size());
  }
  *this = std::move(merged);
}

void Compressed::multiply(std::span<const double> x, std::span<double> out) const {
  const std::size_t lines = begin_.size() - 1;
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(lines), out.end(), 0.0);
  const auto some = [&](Index, Index begin, Index end) {
    for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
      out[i] = line_dot(at_.data() + begin_[i], value_.data() + begin_[i], begin_[i + 1] - begin_[i], x.data());
  };
  const auto count = static_cast<Index>(lines);
  if (size() >= kEntriesWorthThreads)
    parallel_chunks(count, std::max<Index>(1, count / kLineChunks), some);
  else
    some(0, 0, count);
}

void EntrySum::add(std::uint32_t row, std::uint32_t col, double x) {
  if (double* value = by_row_.find(row, col)) {
    *value += x;
    *by_col_.find(col, row) += x;
    return;
  }
  const auto next = static_cast<std::uint32_t>(recent_.size());
  const std::uint32_t slot = recent_at_.find_or_insert(key_of(row, col), next);
  if (slot != next) {
    recent_[slot].value += x;
    return;
  }
  recent_.push_back({row, col, x});
  if (recent_.size() >= kFewRecent + by_row_.size() / kRecentShare) file_recent();
}

void EntrySum::file_recent() {
  std::sort(recent_.begin(), recent_.end(), ascends);
  by_row_.absorb(recent_);
  for (Entry& e : recent_) std::swap(e.major, e.minor);
  std::sort(recent_.begin(), recent_.end(), ascends);
  by_col_.absorb(recent_);
  recent_.clear();
  recent_at_ = IndexMap();
}

void EntrySum::multiply(std::span<const double> x, std::span<double> out) const {
  by_row_.multiply(x, out);
  for (const Entry& e : recent_) out[e.major] += e.value * x[e.minor];
}

void EntrySum::multiply_transposed(std::span<const double> x, std::span<double> out) const {
  by_col_.multiply(x, out);
  for (const Entry& e : recent_) out[e.minor] += e.value * x[e.major];
}

double EntrySum::norm() const {
  double squares = 0;
  each([&](std::uint32_t, std::uint32_t, double value) { squares += value * value; });
  return std::sqrt(squares);
}

// What is filed and what is not decides the order of sums, so both are kept apart.
void EntrySum::save(ByteWriter& out) const {
  std::vector<Index> at;
  std::vector<double> value;
  each([&](std::uint32_t row, std::uint32_t col, double x) {
    at.push_back(row);
    at.push_back(col);
    value.push_back(x);
  });
  out.u64(recent_.size());
  out.integers(at);
  out.reals(value);
}

void EntrySum::load(ByteReader& in, std::size_t rows, std::size_t cols) {
  const std::uint64_t recent = in.u64();
  const auto at = in.integers();
  const auto value = in.reals();
  if (at.size() != 2 * value.size() || recent > value.size())
    throw Error(Code::kCorrupt, "snapshot: its sum of gradients does not fit together");
  EntrySum fresh;
  std::vector<Entry> filed;
  for (std::size_t k = 0; k < value.size(); ++k) {
    const Index row = at[2 * k], col = at[2 * k + 1];
    if (row < 0 || col < 0 || row >= static_cast<Index>(rows) || col >= static_cast<Index>(cols))
      throw Error(Code::kCorrupt, "snapshot: its sum of gradients has an unknown row or column");
    const Entry entry{static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col), value[k]};
    if (k + recent < value.size()) {
      if (!filed.empty() && !ascends(filed.back(), entry))
        throw Error(Code::kCorrupt, "snapshot: its sum of gradients is out of order");
      filed.push_back(entry);
    } else {
      if (k + recent == value.size()) fresh.recent_.swap(filed), fresh.file_recent();
      fresh.add(entry.major, entry.minor, entry.value);
    }
  }
  if (recent == 0) fresh.recent_.swap(filed), fresh.file_recent();
  if (fresh.recent_.size() != recent)
    throw Error(Code::kCorrupt, "snapshot: its sum of gradients names an entry twice");
  *this = std::move(fresh);
}

}  // namespace tarry
