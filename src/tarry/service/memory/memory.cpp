#include "tarry/service/memory/memory.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace tarry::service {
namespace {

constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

// A number in a file; none: no limit, which control groups call "max" or a number beyond any memory.
std::uint64_t number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  return file >> number ? number : kNoLimit;
}

// The least that any of the groups above this one allows.
std::uint64_t least_up_from(const std::string& root, std::string group, const char* file) {
  std::uint64_t least = number_in(root + "/" + file);
  while (!group.empty() && group != "/") {
    least = std::min(least, number_in(root + group + "/" + file));
    group.erase(group.rfind('/'));
  }
  return least;
}

// Lines of /proc/self/cgroup: "0::/group" (version 2), "7:memory:/group" (version 1).
std::uint64_t control_group_limit() {
  std::ifstream groups("/proc/self/cgroup");
  std::uint64_t least = kNoLimit;
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string kinds = "," + line.substr(first + 1, second - first - 1) + ",", group = line.substr(second + 1);
    if (kinds == ",,") least = std::min(least, least_up_from("/sys/fs/cgroup", group, "memory.max"));
    if (kinds.find(",memory,") != std::string::npos)
      least = std::min(least, least_up_from("/sys/fs/cgroup/memory", group, "memory.limit_in_bytes"));
  }
  return least;
}

}  // namespace

std::uint64_t default_most_memory() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  const auto page = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PAGESIZE)));
  const std::uint64_t there_is = std::min(pages * page, control_group_limit());
  return there_is / 4 * 3;
}

bool allocations_can_fail() {
  static const bool can = [] {
    constexpr std::uint64_t kStrict = 2;
    rlimit addresses{};
    const bool limited = getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY;
    return limited || number_in("/proc/sys/vm/overcommit_memory") == kStrict;
  }();
  return can;
}

void prepare_for_failing_allocations() {
  if (allocations_can_fail()) mallopt(M_ARENA_MAX, 1);
}

}  // namespace tarry::service
