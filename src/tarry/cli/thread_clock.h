// The CPU time of a thread, so that a busy machine does not make learners slow.
#pragma once

namespace tarry::cli {

// Seconds of CPU time that the calling thread has spent, from some point on. Asking the system for it takes longer than
// many a round does, so short times are taken from the wall clock, in tens of nanoseconds; only after a longer pause,
// in which the thread may have been set aside, is the system asked how much of it was the thread's own.
double thread_seconds();

}  // namespace tarry::cli
