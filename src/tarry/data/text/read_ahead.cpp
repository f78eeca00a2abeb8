#include "tarry/data/text/read_ahead.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace tarry::data {
namespace {

class Ahead {
 public:
  Ahead(ByteSource source, std::shared_ptr<const Taken> behind, std::shared_ptr<Taken> taken)
      : source_(std::move(source)), behind_(std::move(behind)), taken_(std::move(taken)), thread_([this] { fill(); }) {}
  ~Ahead() {
    {
      const std::lock_guard lock(mutex_);
      given_up_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;

  std::size_t read(char* into, std::size_t room) {
    if (at_ == now_.size && !take_next()) return 0;
    const std::size_t count = std::min(room, now_.size - at_);
    std::memcpy(into, now_.text.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  static constexpr std::size_t kBlock = std::size_t{1} << 16, kBlocks = 8;  // a few: they stay in the cache

  struct Block {
    std::vector<char> text;
    std::size_t size = 0;
    std::uint64_t taken = 0;              // of the file, up to its end
    std::exception_ptr thrown = nullptr;  // instead of it
  };

  // Not without a limit: that function is in no libstdc++ of before GCC 12, which Python's wheels may meet.
  template <class Ready>
  void wait(std::unique_lock<std::mutex>& lock, const Ready& ready) {
    while (!changed_.wait_for(lock, std::chrono::seconds(1), ready)) {
    }
  }

  // In the other thread. The last block is empty, or has what was thrown.
  void fill() {
    for (bool last = false; !last;) {
      Block block = free_block();
      if (block.text.empty()) return;
      try {
        block.size = source_(block.text.data(), block.text.size());
      } catch (...) {
        block.size = 0;
        block.thrown = std::current_exception();
      }
      block.taken = behind_->bytes;
      last = block.size == 0;
      {
        const std::lock_guard lock(mutex_);
        ready_.push_back(std::move(block));
      }
      changed_.notify_all();
    }
  }

  // Waits for room; empty: nobody wants any more.
  Block free_block() {
    std::unique_lock lock(mutex_);
    wait(lock, [&] { return given_up_ || ready_.size() < kBlocks; });
    if (given_up_) return {};
    Block block;
    if (!used_.empty()) {
      block.text = std::move(used_.back());
      used_.pop_back();
    }
    block.text.resize(kBlock);
    return block;
  }

  // False at the end, where it stays.
  bool take_next() {
    if (ended_) return false;
    {
      std::unique_lock lock(mutex_);
      wait(lock, [&] { return !ready_.empty(); });
      if (!now_.text.empty()) used_.push_back(std::move(now_.text));
      now_ = std::move(ready_.front());
      ready_.pop_front();
    }
    changed_.notify_all();
    at_ = 0;
    taken_->bytes = now_.taken;
    ended_ = now_.size == 0;
    if (now_.thrown) std::rethrow_exception(now_.thrown);
    return !ended_;
  }

  ByteSource source_;
  std::shared_ptr<const Taken> behind_;
  std::shared_ptr<Taken> taken_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Block> ready_;
  std::vector<std::vector<char>> used_;  // whose memory is used again
  bool given_up_ = false;
  Block now_;  // what is handed out, from at_ on
  std::size_t at_ = 0;
  bool ended_ = false;
  std::thread thread_;  // the last member: it uses the others
};

}  // namespace

ByteSource read_ahead(ByteSource source, std::shared_ptr<const Taken> behind, std::shared_ptr<Taken> taken) {
  auto ahead = std::make_shared<Ahead>(std::move(source), std::move(behind), std::move(taken));
  return [ahead](char* into, std::size_t room) { return ahead->read(into, room); };
}

}  // namespace tarry::data
