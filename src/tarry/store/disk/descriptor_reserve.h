// A few file descriptors that are kept back for the store, so that it can still open the log's next segment when
// connections have taken all the others.
//
// A descriptor of the store that is closed goes back into the reserve in one step, so that nobody takes it on the way;
// one that is taken out is free for a moment, and where somebody else is quicker, the next one is tried.
#pragma once

#include <cstddef>
#include <functional>

namespace tarry::store {

inline constexpr std::size_t kReservedDescriptors = 8;

// Is it one of the errors that say that no more files can be opened?
bool lacks_descriptors(int error);

// What `open` gives, which is −1 with errno where it fails. Where it lacks descriptors, it is tried with those that
// were kept back.
int open_from_reserve(const std::function<int()>& open);
void close_into_reserve(int descriptor);

}  // namespace tarry::store
