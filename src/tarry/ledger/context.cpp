#include "tarry/ledger/context.h"

#include <algorithm>
#include <cstring>

#include "tarry/base/contract.h"
#include "tarry/base/error.h"

namespace tarry {
namespace {

struct Header {
  std::uint32_t values;      // how many features
  std::uint32_t memo : 27;   // how many numbers of memo
  std::uint32_t due : 1;     // whether it follows
  std::uint32_t scores : 1;  // whether they follow, their count first
  std::uint32_t link : 1;    // whether it follows
  std::uint32_t sparse : 1;
  std::uint32_t features : 1;
  double prediction;
};
static_assert(sizeof(Header) == 16);
static_assert(sizeof(Link) == 16 && sizeof(DueTime) == 16);  // two numbers each, as they are packed

constexpr std::size_t kMost = std::size_t{1} << 27;

Header header_at(const std::byte* bytes) {
  Header header;
  std::memcpy(&header, bytes, sizeof(Header));
  return header;
}

template <class T>
void put(std::byte*& to, const std::vector<T>& from) {
  if (from.empty()) return;
  std::memcpy(to, from.data(), from.size() * sizeof(T));
  to += from.size() * sizeof(T);
}

template <class T>
void put_one(std::byte*& to, T x) {
  std::memcpy(to, &x, sizeof(T));
  to += sizeof(T);
}

template <class T>
T get_one(const std::byte*& from) {
  T x;
  std::memcpy(&x, from, sizeof(T));
  from += sizeof(T);
  return x;
}

template <class T>
void get(const std::byte*& from, std::size_t count, std::vector<T>& x) {
  x.resize(count);
  if (count > 0) std::memcpy(x.data(), from, count * sizeof(T));
  from += count * sizeof(T);
}

}  // namespace

void Context::clear() {
  if (std::max({values.capacity(), scores.capacity(), memo.capacity()}) > kKeptNumbers) {
    *this = {};
    return;
  }
  has_features = sparse = false;
  prediction = 0;
  link = {};
  due = {};
  indices.clear();
  values.clear();
  scores.clear();
  memo.clear();
}

void check_size(const Context& context) {
  if (context.values.size() >= kMost || context.memo.size() >= kMost || context.scores.size() >= kMost)
    throw Error(Code::kOutOfMemory, "ledger: a round's context has more than 2^27 numbers");
}

PackedContext::PackedContext(const Context& context) {
  check_size(context);
  ensure(context.indices.size() == (context.sparse ? context.values.size() : 0),
         "sparse features have an index for each value, others none");
  const bool link = context.link != Link{}, scores = !context.scores.empty(), due = context.due.any();
  const Header header{static_cast<std::uint32_t>(context.values.size()),
                      static_cast<std::uint32_t>(context.memo.size()),
                      due,
                      scores,
                      link,
                      context.sparse,
                      context.has_features,
                      context.prediction};
  const std::size_t numbers = (link ? 2 : 0) + (due ? 2 : 0) + (scores ? 1 + context.scores.size() : 0) +
                              context.memo.size() + context.indices.size() + context.values.size();
  bytes_ = std::make_shared_for_overwrite<std::byte[]>(sizeof(Header) + 8 * numbers);
  std::byte* to = bytes_.get();
  std::memcpy(to, &header, sizeof(Header));
  to += sizeof(Header);
  if (scores) {
    put_one(to, static_cast<std::uint64_t>(context.scores.size()));
    put(to, context.scores);
  }
  if (link) put_one(to, context.link);
  if (due) put_one(to, context.due);
  put(to, context.memo);
  put(to, context.indices);
  put(to, context.values);
  ensure(to == bytes_.get() + sizeof(Header) + 8 * numbers, "a context fills the block that was made for it");
}

double PackedContext::prediction() const { return header_at(bytes_.get()).prediction; }

bool PackedContext::has_due() const { return header_at(bytes_.get()).due; }

std::size_t PackedContext::memo_size() const { return header_at(bytes_.get()).memo; }

Context PackedContext::unpack() const {
  Context context;
  unpack(context);
  return context;
}

void PackedContext::unpack(Context& context) const {
  context.clear();
  const std::byte* from = bytes_.get();
  const Header header = header_at(from);
  from += sizeof(Header);
  context.has_features = header.features;
  context.sparse = header.sparse;
  context.prediction = header.prediction;
  if (header.scores) {
    const auto count = get_one<std::uint64_t>(from);
    get(from, count, context.scores);
  }
  if (header.link) context.link = get_one<Link>(from);
  if (header.due) context.due = get_one<DueTime>(from);
  get(from, header.memo, context.memo);
  if (header.sparse) get(from, header.values, context.indices);
  get(from, header.values, context.values);
}

// What follows the header, in bytes.
std::size_t PackedContext::size() const {
  const Header header = header_at(bytes_.get());
  std::uint64_t scores = 0;
  if (header.scores) std::memcpy(&scores, bytes_.get() + sizeof(Header), 8);
  return 8 * ((header.scores ? 1 + scores : 0) + (header.link ? 2 : 0) + (header.due ? 2 : 0) + header.memo +
              std::size_t{header.values} * (header.sparse ? 2 : 1));
}

void PackedContext::save(ByteWriter& out) const {
  out.text({reinterpret_cast<const char*>(bytes_.get()), sizeof(Header) + size()});
}

PackedContext PackedContext::load(ByteReader& in) {
  const std::string_view bytes = in.view();
  const auto refuse = [] { throw Error(Code::kCorrupt, "snapshot: a round's context has an impossible length"); };
  if (bytes.size() < sizeof(Header)) refuse();
  PackedContext packed;
  packed.bytes_ = std::make_shared_for_overwrite<std::byte[]>(bytes.size());
  std::memcpy(packed.bytes_.get(), bytes.data(), bytes.size());
  const Header header = header_at(packed.bytes_.get());
  if (header.scores) {
    std::uint64_t scores = kMost;
    if (bytes.size() >= sizeof(Header) + 8) std::memcpy(&scores, packed.bytes_.get() + sizeof(Header), 8);
    if (scores >= kMost) refuse();
  }
  if (bytes.size() != sizeof(Header) + packed.size()) refuse();
  return packed;
}

}  // namespace tarry
