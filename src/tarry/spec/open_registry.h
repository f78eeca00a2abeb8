// A registry that other libraries can add to until it is first used: what a specification can name must not depend on
// when it is asked. Any thread may use it.
#pragma once

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tarry/base/error.h"

namespace tarry::spec {

// `Entry` has a name.
template <class Entry>
class OpenRegistry {
 public:
  // `kind` begins messages: "set".
  OpenRegistry(std::string kind, std::vector<Entry> entries) : kind_(std::move(kind)), entries_(std::move(entries)) {}

  // Every entry: those it was made with, then those that were added. From the first call on, nothing can be added, and
  // so entries stay where they are as long as the registry lives: to the end of the program.
  std::span<const Entry> all() {
    const std::lock_guard lock(mutex_);
    used_ = true;
    return entries_;
  }

  // Throws Error{kInternal} when the name is taken, or when the registry has been used.
  void add(Entry entry) {
    const std::lock_guard lock(mutex_);
    const auto same = [&](const Entry& other) { return other.name == entry.name; };
    if (std::any_of(entries_.begin(), entries_.end(), same))
      refuse("there is a " + kind_ + " named " + entry.name + " already");
    if (used_) refuse(entry.name + " must be added before the first use");
    entries_.push_back(std::move(entry));
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw Error(Code::kInternal, kind_ + " registry: " + why); }

  std::string kind_;
  std::mutex mutex_;
  bool used_ = false;
  std::vector<Entry> entries_;
};

}  // namespace tarry::spec
