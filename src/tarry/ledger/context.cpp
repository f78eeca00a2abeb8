#include "tarry/ledger/context.h"

#include <cstring>

#include "tarry/base/error.h"

namespace tarry {
namespace {

struct Header {
  std::uint32_t values;     // how many features
  std::uint32_t memo : 29;  // how many numbers of memo
  std::uint32_t link : 1;   // whether it follows
  std::uint32_t sparse : 1;
  std::uint32_t features : 1;
  double prediction;
};
static_assert(sizeof(Header) == 16);

constexpr std::size_t kMost = std::size_t{1} << 29;

template <class T>
void put(std::byte*& to, const std::vector<T>& from) {
  if (from.empty()) return;
  std::memcpy(to, from.data(), from.size() * sizeof(T));
  to += from.size() * sizeof(T);
}

template <class T>
std::vector<T> get(const std::byte*& from, std::size_t count) {
  std::vector<T> x(count);
  if (count > 0) std::memcpy(x.data(), from, count * sizeof(T));
  from += count * sizeof(T);
  return x;
}

}  // namespace

PackedContext::PackedContext(const Context& context) {
  if (context.values.size() >= kMost || context.memo.size() >= kMost)
    throw Error(Code::kOutOfMemory, "ledger: a round's context has more than 2^29 numbers");
  const bool link = context.link != Link{};
  const Header header{static_cast<std::uint32_t>(context.values.size()),
                      static_cast<std::uint32_t>(context.memo.size()),
                      link,
                      context.sparse,
                      context.has_features,
                      context.prediction};
  const std::size_t numbers = (link ? 2 : 0) + context.memo.size() + context.indices.size() + context.values.size();
  bytes_ = std::make_unique_for_overwrite<std::byte[]>(sizeof(Header) + 8 * numbers);
  std::byte* to = bytes_.get();
  std::memcpy(to, &header, sizeof(Header));
  to += sizeof(Header);
  if (link) put(to, std::vector{context.link.centre, context.link.scale});
  put(to, context.memo);
  put(to, context.indices);
  put(to, context.values);
}

Context PackedContext::unpack() const {
  const std::byte* from = bytes_.get();
  Header header;
  std::memcpy(&header, from, sizeof(Header));
  from += sizeof(Header);
  Context context;
  context.has_features = header.features;
  context.sparse = header.sparse;
  context.prediction = header.prediction;
  if (header.link) {
    const auto link = get<double>(from, 2);
    context.link = {link[0], link[1]};
  }
  context.memo = get<double>(from, header.memo);
  if (header.sparse) context.indices = get<std::int64_t>(from, header.values);
  context.values = get<double>(from, header.values);
  return context;
}

}  // namespace tarry
