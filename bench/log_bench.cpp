// Our journal as a log of events, beside RocksDB and SQLite.
//
//   log_bench FOLDER speed TURNS    seconds for one durable record of 200 bytes, alone and 64 at a time
//   log_bench FOLDER damage CASES   what a log does that was damaged after everything in it was durable: how many of
//   CASES
//                                   opened as if nothing were wrong, with records missing or changed (`silent`), how
//                                   many were refused (`refused`), and how many gave every record back (`whole`)
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <thread>

#include "log_rivals.h"
#include "timing.h"

namespace {

using namespace tarry::bench;
namespace fs = std::filesystem;

struct Rival {
  std::string name;
  OpenLog open;
};

const std::vector<Rival> kRivals = {
    {"own", open_own}, {"rocksdb", open_rocksdb}, {"rocksdb_absolute", open_rocksdb_absolute}, {"sqlite", open_sqlite}};

std::vector<std::string> records(std::size_t first, std::size_t count) {
  std::vector<std::string> made;
  for (std::size_t i = first; i < first + count; ++i) {
    made.emplace_back(200, static_cast<char>('a' + i % 26));
    made.back().replace(0, 8, fmt::format("{:08}", i));
  }
  return made;
}

void speed(const fs::path& folder, int turns) {
  std::vector<Contestant> contestants;
  std::vector<std::shared_ptr<RivalLog>> logs;
  for (const auto& rival : kRivals) {
    if (rival.name == "rocksdb_absolute") continue;  // the same while nothing is wrong
    const fs::path home = folder / rival.name;
    fs::remove_all(home);
    const std::shared_ptr<RivalLog> log = logs.emplace_back(rival.open(home));
    for (const std::size_t batch : {1, 64}) {
      contestants.push_back({rival.name + std::to_string(batch), static_cast<int>(50 * batch), [log, batch] {
                               for (int i = 0; i < 50; ++i) log->append(records(0, batch));
                             }});
    }
  }
  take_turns(contestants, turns);
  print(contestants);
}

// One file of a folder, a byte of it the likelier the larger it is.
struct Place {
  fs::path file;
  std::uintmax_t offset = 0;
};

Place some_place(const fs::path& folder, std::mt19937_64& draw) {
  std::vector<fs::path> files;
  std::uintmax_t bytes = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file() && entry.file_size() > 0) {
      files.push_back(entry.path());
      bytes += entry.file_size();
    }
  std::sort(files.begin(), files.end());
  auto at = draw() % bytes;
  for (const auto& file : files) {
    if (at < fs::file_size(file)) return {file, at};
    at -= fs::file_size(file);
  }
  return {};
}

void overwrite(const Place& place, std::size_t length, const std::function<char(char)>& change) {
  std::fstream file(place.file, std::ios::in | std::ios::out | std::ios::binary);
  std::string bytes(std::min<std::uintmax_t>(length, fs::file_size(place.file) - place.offset), '\0');
  file.seekg(static_cast<std::streamoff>(place.offset));
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  for (char& byte : bytes) byte = change(byte);
  file.seekp(static_cast<std::streamoff>(place.offset));
  file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

void flip_a_byte(const Place& place, std::mt19937_64& draw) {
  const char mask = static_cast<char>(1 + draw() % 255);
  overwrite(place, 1, [mask](char byte) { return static_cast<char>(byte ^ mask); });
}

void zero_a_page(const Place& place, std::mt19937_64&) {
  overwrite({place.file, place.offset - place.offset % 4096}, 4096, [](char) { return '\0'; });
}

void delete_a_file(const Place& place, std::mt19937_64&) { fs::remove(place.file); }

// A preallocated rest is no part of the log: damage there says nothing.
bool holds_records(const Place& place) {
  std::ifstream file(place.file, std::ios::binary);
  file.seekg(static_cast<std::streamoff>(place.offset - place.offset % 256));
  std::string bytes(256, '\0');
  file.read(bytes.data(), 256);
  return bytes.find_first_not_of('\0') != std::string::npos;
}

enum Outcome { kSilent, kRefused, kWhole };

Outcome outcome_of(const Rival& rival, const fs::path& folder, const std::vector<std::string>& wanted) try {
  return rival.open(folder)->read() == wanted ? kWhole : kSilent;
} catch (const std::exception&) {
  return kRefused;
}

void damage(const fs::path& folder, int cases) {
  using Damage = void (*)(const Place&, std::mt19937_64&);
  const std::pair<const char*, Damage> kinds[] = {
      {"flip", flip_a_byte}, {"zero", zero_a_page}, {"delete", delete_a_file}};
  const auto wanted = records(0, 1000);
  for (const auto& rival : kRivals) {
    const fs::path home = folder / rival.name, hit = folder / (rival.name + "-hit");
    fs::remove_all(home);
    const auto log = rival.open(home);  // stays open: what lies there is what a killed process leaves
    for (std::size_t i = 0; i < wanted.size(); i += 20) log->append(std::span(wanted).subspan(i, 20));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));  // as a log rests when nobody writes
    for (const auto& [name, apply] : kinds) {
      std::mt19937_64 draw(7);
      int found[3] = {};
      for (int i = 0; i < cases; ++i) {
        fs::remove_all(hit);
        fs::copy(home, hit, fs::copy_options::recursive);
        auto place = some_place(hit, draw);
        while (!holds_records(place)) place = some_place(hit, draw);
        apply(place, draw);
        ++found[outcome_of(rival, hit, wanted)];
      }
      fmt::print(
          "{{\"name\": \"{0}_{1}_silent\", \"seconds\": [{2}]}}\n{{\"name\": \"{0}_{1}_refused\", \"seconds\": "
          "[{3}]}}\n"
          "{{\"name\": \"{0}_{1}_whole\", \"seconds\": [{4}]}}\n",
          rival.name, name, found[kSilent], found[kRefused], found[kWhole]);
    }
    fs::remove_all(hit);
  }
}

}  // namespace

int main(int count, char** words) try {
  if (count != 4) {
    fmt::print(stderr, "usage: log_bench FOLDER speed TURNS | damage CASES\n");
    return 2;
  }
  const fs::path folder = words[1];
  fs::create_directories(folder);
  if (std::string_view(words[2]) == "speed")
    speed(folder, std::atoi(words[3]));
  else
    damage(folder, std::atoi(words[3]));
  return 0;
} catch (const std::exception& error) {
  fmt::print(stderr, "log_bench: {}\n", error.what());
  return 1;
}
