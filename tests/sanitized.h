// Whether sanitizers watch this build, and how much of a long loop is then enough.
#pragma once

namespace tarry {

#ifdef TARRY_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

// How many random cases a test tries: `count`, or a tenth under sanitizers, which look for slips in the code and not
// for rare numbers.
constexpr int cases(int count) { return !kSanitized ? count : count < 10 ? 1 : count / 10; }

}  // namespace tarry
