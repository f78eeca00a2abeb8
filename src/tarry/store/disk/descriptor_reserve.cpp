#include "tarry/store/disk/descriptor_reserve.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>

namespace tarry::store {
namespace {

// Of the whole process, as descriptors are.
class Reserve {
 public:
  int open(const std::function<int()>& open) {
    const std::lock_guard lock(mutex_);
    int number = open();
    while (number < 0 && lacks_descriptors(errno) && count_ > 0) {
      ::close(kept_[--count_]);
      number = open();
    }
    const int error = errno;
    if (number >= 0) fill();
    errno = error;
    return number;
  }

  void close(int number) {
    const std::lock_guard lock(mutex_);
    if (count_ < kReservedDescriptors && nothing_ >= 0 && ::dup3(nothing_, number, O_CLOEXEC) == number)
      kept_[count_++] = number;
    else
      ::close(number);
  }

 private:
  // As far as there are any.
  void fill() {
    if (nothing_ < 0) nothing_ = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    while (nothing_ >= 0 && count_ < kReservedDescriptors) {
      const int number = ::fcntl(nothing_, F_DUPFD_CLOEXEC, 0);
      if (number < 0) return;
      kept_[count_++] = number;
    }
  }

  std::mutex mutex_;
  int nothing_ = -1;  // what those that are kept are open on
  std::array<int, kReservedDescriptors> kept_{};
  std::size_t count_ = 0;
};

Reserve& reserve() {
  static Reserve* const of_the_process = new Reserve;  // never destroyed: files may be closed after main
  return *of_the_process;
}

}  // namespace

bool lacks_descriptors(int error) { return error == EMFILE || error == ENFILE; }

int open_from_reserve(const std::function<int()>& open) { return reserve().open(open); }

void close_into_reserve(int descriptor) { reserve().close(descriptor); }

}  // namespace tarry::store
