// What every registry does: find the entry that a spec's `type` names, make it, refuse keys that nobody read.
#pragma once

#include <algorithm>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "tarry/spec/node.h"

namespace tarry::spec {

// `Entry` has a name and a make(node, arguments...).
template <class Entry, class... Arguments>
auto make_registered(std::span<const Entry> entries, const std::string& kind, const Node& node,
                     const Arguments&... arguments) {
  const auto type = node.find("type");
  const auto entry = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& e) { return type && type->is_text() && type->text() == e.name; });
  if (entry == entries.end()) {
    std::vector<std::string> names;
    for (const Entry& e : entries) names.push_back(e.name);
    throw_unknown_type(node, kind, names);
  }
  try {
    auto made = entry->make(node, arguments...);
    node.refuse_unknown_keys();
    return made;
  } catch (const Error& error) {
    node.rethrow_with_line(error);
  } catch (const std::bad_alloc&) {
    node.fail_whole("not enough memory for what it keeps", Code::kOutOfMemory);
  } catch (const std::length_error&) {
    node.fail_whole("not enough memory for what it keeps", Code::kOutOfMemory);
  }
}

}  // namespace tarry::spec
