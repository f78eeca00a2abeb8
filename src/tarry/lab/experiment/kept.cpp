#include "tarry/lab/experiment/kept.h"

#include <fmt/format.h>

#include <fstream>
#include <sstream>

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/data/text/write_file.h"
#include "tarry/lab/experiment/learning_code.h"
#include "tarry/lab/report/results.h"
#include "tarry/spec/json.h"

namespace tarry::lab {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> read_whole(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// What precedes the result in its file.
spec::Object heading(const std::string& key, const std::string& json) {
  return {{"key", {key}}, {"code", {std::string(kLearningCode)}}, {"checksum", {fmt::format("{:08x}", crc32c(json))}}};
}

}  // namespace

std::optional<std::string> Descriptions::of(const spec::Value& spec) {
  std::string text = spec::to_json(spec);
  if (!add_files(spec, text)) return std::nullopt;
  return text;
}

bool Descriptions::add_files(const spec::Value& spec, std::string& text) {
  if (const auto* array = std::get_if<spec::Array>(&spec.as))
    for (const spec::Value& element : *array)
      if (!add_files(element, text)) return false;
  const auto* object = std::get_if<spec::Object>(&spec.as);
  if (object == nullptr) return true;
  for (const auto& [key, member] : *object) {
    const auto* path = std::get_if<std::string>(&member.as);
    if (path == nullptr || (key != "path" && !key.ends_with("_path") && key != "lp_file")) {
      if (!add_files(member, text)) return false;
      continue;
    }
    const std::string& found = digest(*path);
    if (found.empty()) return false;
    text += " " + found;
  }
  return true;
}

const std::string& Descriptions::digest(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto [at, is_new] = digests_.try_emplace(path);
  std::string& digest = at->second;
  std::error_code failed;
  if (!is_new || !fs::is_regular_file(path, failed)) return digest;
  std::ifstream in(path, std::ios::binary);
  std::string block(std::size_t{1} << 20, '\0');
  while (in) {
    in.read(block.data(), static_cast<std::streamsize>(block.size()));
    digest += fmt::format("{:08x}", crc32c({block.data(), static_cast<std::size_t>(in.gcount())}));
  }
  return digest;
}

std::string KeptResults::key(const std::string& kind, const std::string& description) {
  const std::string whole = fmt::format("{}\n{}\n{}\n{}", kind, kVersion, kLearningCode, description);
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a
  for (unsigned char byte : whole) hash = (hash ^ byte) * 0x100000001b3u;
  return fmt::format("{}-{:016x}{:08x}.json", kind, hash, crc32c(whole));
}

std::optional<std::string> KeptResults::get(const std::string& key) const {
  if (fresh_) return std::nullopt;
  const auto text = read_whole(folder_ / key);
  if (!text) return std::nullopt;
  spec::Value file;
  try {
    file = spec::parse_json(*text);
  } catch (const Error& error) {
    if (error.code() != Code::kBadInput) throw;
    return std::nullopt;  // damaged, or not ours
  }
  auto* members = std::get_if<spec::Object>(&file.as);
  const std::size_t count = heading("", "").size();
  if (members == nullptr || members->size() < count) return std::nullopt;
  const auto end = members->begin() + static_cast<std::ptrdiff_t>(count);
  const spec::Value stated{spec::Object(members->begin(), end)};
  members->erase(members->begin(), end);
  std::string json = spec::to_json(file);
  if (spec::to_json(stated) != spec::to_json({heading(key, json)})) return std::nullopt;
  return json;
}

void KeptResults::put(const std::string& key, const std::string& json) const {
  spec::Value file = spec::parse_json(json);
  spec::Object members = heading(key, spec::to_json(file));
  for (auto& member : std::get<spec::Object>(file.as)) members.push_back(std::move(member));
  data::write_file(folder_ / key, spec::to_json({std::move(members)}) + "\n");
}

}  // namespace tarry::lab
