#include "tarry/base/tally.h"

#include <malloc.h>

namespace tarry {

std::int64_t tallied(const std::string& text) {
  const auto* inside = reinterpret_cast<const char*>(&text);
  const bool short_text = text.data() >= inside && text.data() < inside + sizeof text;
  if (!tally_is_kept || short_text) return 0;
  return static_cast<std::int64_t>(malloc_usable_size(const_cast<char*>(text.data())));
}

}  // namespace tarry
