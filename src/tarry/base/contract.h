// Invariants. A broken one is a bug in Tarry: Error{kInternal} with the place in the source. These never check input,
// which is refused with an error that names the key.
//
// `ensure` is for what takes no time to check, and is on in every build: a comparison that the processor foresees costs
// nothing that can be measured, and a service that finds its ledger unbalanced must not write that down.
// `ensure_thoroughly` is for what takes a pass over a vector. It is one switch in the running program, not another
// build: tests and sanitizers turn it on and so check the very objects that are shipped, where it is off.
#pragma once

#include <atomic>
#include <source_location>

namespace tarry {

[[noreturn]] void contract_broken(const char* what, const std::source_location& where);

// `what` is a sentence about what holds: "a round that is settled was waiting".
inline void ensure(bool holds, const char* what, const std::source_location& where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    contract_broken(what, where);
}

namespace contract {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline std::atomic<bool> thorough = true;
#else
inline std::atomic<bool> thorough = false;  // for the whole process; set before work begins
#endif
}  // namespace contract

// `holds` is called where checks are thorough.
template <class Holds>
void ensure_thoroughly(Holds holds, const char* what,
                       const std::source_location& where = std::source_location::current()) {
  if (contract::thorough.load(std::memory_order_relaxed)) [[unlikely]]
    ensure(holds(), what, where);
}

}  // namespace tarry
