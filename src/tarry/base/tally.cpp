#include "tarry/base/tally.h"

#ifdef __linux__
#include <malloc.h>
#endif

namespace tarry {

std::int64_t tallied(const std::string& text) {
  const auto* inside = reinterpret_cast<const char*>(&text);
  const bool short_text = text.data() >= inside && text.data() < inside + sizeof text;
  if (!tally_is_kept || short_text) return 0;
#ifdef __linux__
  return static_cast<std::int64_t>(malloc_usable_size(const_cast<char*>(text.data())));
#else
  return 0;  // nowhere else does a program count
#endif
}

}  // namespace tarry
