// What a whole model costs beyond its learner: a snapshot of many features and outstanding rounds beside a plain write
// of as many bytes, and the memory of a small model. Usage: model_bench FOLDER
#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "tarry/model/snapshot_file.h"

namespace {

using namespace tarry;
namespace fs = std::filesystem;

constexpr Round kMany = 1'000'000;

double now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Work>
double seconds_of(Work work) {
  const double start = now();
  work();
  return now() - start;
}

void print(const char* name, double value) { fmt::print("{{\"name\": \"{}\", \"seconds\": [{}]}}\n", name, value); }

std::size_t allocated() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

Model ten_features() {
  Model model = make_model(ModelSpec::parse(R"({"task": "binary"})"));
  for (Round t = 1; t <= 100; ++t) {
    NamedFeatures features;
    for (int i = 0; i < 10; ++i) features.push_back({fmt::format("feature {}", i), static_cast<double>(t * i % 7)});
    model.play(features);
    model.label(t, t % 3 == 0);
  }
  return model;
}

// Every name was learnt once, and once it waits.
Model many_features() {
  Model model = make_model(ModelSpec::parse(R"({"task": "binary", "features": {"capacity": 2097152}})"));
  for (Round t = 1; t <= 2 * kMany; ++t) {
    model.play(NamedFeatures{{"user", fmt::format("u{}", t % kMany)}, {"amount", static_cast<double>(t % 97)}});
    if (t <= kMany) model.label(t, t % 3 == 0);
  }
  return model;
}

// As a careful program without a format would: the bytes it has, to the disk.
void plain_write(const fs::path& path, std::string_view bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t wrote = ::write(file, bytes.data() + done, bytes.size() - done);
    if (wrote <= 0) throw std::runtime_error("write");
    done += static_cast<std::size_t>(wrote);
  }
  if (::fsync(file) != 0 || ::close(file) != 0) throw std::runtime_error("fsync");
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const fs::path folder = argv[1];
  fs::create_directories(folder);
  const std::size_t before = allocated();
  {
    const Model small = ten_features();
    print("ten_features_bytes", static_cast<double>(allocated() - before));
    print("megabyte_bytes", 1e6);
  }
  const fs::path snapshot = folder / "model.tarry", plain = folder / "plain";
  const Model model = many_features();
  const double save = seconds_of([&] { save_snapshot(model, snapshot); });
  const SnapshotFile saved(snapshot);
  const std::string bytes(saved.bytes());
  print("snapshot_bytes", static_cast<double>(bytes.size()));
  print("save", save);
  print("plain_write", seconds_of([&] { plain_write(plain, bytes); }));
  std::string back(bytes.size(), ' ');
  print("load", seconds_of([&] { load_snapshot(saved.bytes()); }));
  print("plain_read", seconds_of([&] { std::ifstream(plain, std::ios::binary).read(back.data(), back.size()); }));
  fs::remove(plain);
  fs::remove(snapshot);
}
