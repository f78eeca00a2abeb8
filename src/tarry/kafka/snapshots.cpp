#include "tarry/kafka/snapshots.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"

namespace tarry::kafka {
namespace {

constexpr std::uint64_t kChunkFormat = 2;  // 1 is read as well: it has no arithmetic
constexpr std::string_view kNumberMark = "/a";

template <class Number>
bool take_number(std::string_view text, Number& number) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// NEXT/ENGINE/aARITHMETIC/INDEX, or NEXT/ENGINE/INDEX where the number is not known
std::optional<std::pair<SnapshotName, std::uint64_t>> read_key(std::string_view key) {
  const auto first = key.find('/'), last = key.rfind('/');
  if (first == std::string_view::npos || first == last) return std::nullopt;
  SnapshotName name{.engine = std::string(key.substr(first + 1, last - first - 1))};
  std::uint64_t index = 0;
  if (const auto mark = name.engine.find(kNumberMark); mark != std::string::npos) {
    if (!take_number(std::string_view(name.engine).substr(mark + kNumberMark.size()), name.arithmetic))
      return std::nullopt;
    name.engine.resize(mark);
  }
  if (!take_number(key.substr(0, first), name.next) || !take_number(key.substr(last + 1), index) || name.next < 0)
    return std::nullopt;
  return std::pair{name, index};
}

}  // namespace

std::string chunk_key(const SnapshotName& name, std::uint64_t index) {
  if (name.arithmetic == 0) return fmt::format("{}/{}/{}", name.next, name.engine, index);
  return fmt::format("{}/{}{}{}/{}", name.next, name.engine, kNumberMark, name.arithmetic, index);
}

std::vector<Chunk> chunks_of(const SnapshotName& name, std::string_view bytes, std::size_t chunk_size) {
  const std::size_t count = std::max<std::size_t>(1, (bytes.size() + chunk_size - 1) / chunk_size);
  const std::uint32_t whole = crc32c(bytes);
  std::vector<Chunk> chunks;
  for (std::size_t i = 0; i < count; ++i) {
    ByteWriter body;
    body.u64(kChunkFormat);
    body.u64(name.arithmetic);
    body.u64(count);
    body.u64(bytes.size());
    body.u64(whole);
    body.text(bytes.substr(i * chunk_size, chunk_size));
    ByteWriter value;
    value.u64(crc32c(body.bytes()));
    value.raw(body.bytes());
    chunks.push_back({chunk_key(name, i), value.take()});
  }
  return chunks;
}

void SnapshotShelf::take(std::string_view key, std::optional<std::string_view> value) {
  const auto named = read_key(key);
  if (!named) return;
  const auto& [name, index] = *named;
  if (!value) {
    const auto found = parts_.find(name);
    if (found == parts_.end()) return;
    found->second.erase(index);
    if (found->second.empty()) parts_.erase(found);
    return;
  }
  Part part;
  try {
    ByteReader in(*value);
    const std::uint64_t checksum = in.u64();
    const std::uint64_t format = in.u64();
    const std::uint64_t arithmetic = format == kChunkFormat ? in.u64() : 0;
    part.sound = checksum == crc32c(value->substr(8)) && (format == 1 || format == kChunkFormat) &&
                 arithmetic == name.arithmetic;
    if (part.sound) {
      part.count = in.u64();
      part.size = in.u64();
      part.checksum = static_cast<std::uint32_t>(in.u64());
      part.bytes = in.text();
      in.expect_end();
    }
  } catch (const Error&) {
    part.sound = false;
  }
  parts_[name][index] = std::move(part);
}

std::optional<std::string> SnapshotShelf::bytes(const SnapshotName& name) const {
  const auto found = parts_.find(name);
  if (found == parts_.end()) return std::nullopt;
  std::string all;
  std::uint64_t expected = 0;
  const Part& first = found->second.begin()->second;
  if (!first.sound || first.count == 0) return std::nullopt;
  for (const auto& [index, part] : found->second) {
    if (index >= first.count) continue;  // of an earlier try, with smaller chunks
    if (index != expected++ || !part.sound || part.count != first.count || part.checksum != first.checksum)
      return std::nullopt;
    all += part.bytes;
  }
  if (expected != first.count || all.size() != first.size || crc32c(all) != first.checksum) return std::nullopt;
  return all;
}

std::vector<SnapshotName> SnapshotShelf::whole() const {
  std::vector<SnapshotName> names;
  for (const auto& [name, parts] : parts_)
    if (bytes(name)) names.push_back(name);
  std::reverse(names.begin(), names.end());
  return names;
}

std::vector<std::string> SnapshotShelf::keys_before(Offset next) const {
  std::vector<std::string> keys;
  for (const auto& [name, parts] : parts_)
    if (name.next < next)
      for (const auto& [index, part] : parts) keys.push_back(chunk_key(name, index));
  return keys;
}

}  // namespace tarry::kafka
