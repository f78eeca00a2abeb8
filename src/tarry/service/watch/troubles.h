// What is wrong with a model, and since when, as its reviews found it. A trouble that is gone for a moment goes on:
// estimates that lie near a limit must not begin and end one again and again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tarry::service {

enum class Trouble : std::uint8_t { kOverdue, kWorse, kMiscalibrated };
inline constexpr std::size_t kTroubles = 3;
std::string_view name_of(Trouble trouble);  // "overdue", "worse", "miscalibrated"
std::string_view look_of(Trouble trouble);  // where to look

class Troubles {
 public:
  static constexpr std::uint32_t kQuietReviews = 8;  // in a row, after which it is over: about a span

  void review(Trouble trouble, bool holds, std::int64_t now_ms);
  bool holds(Trouble trouble) const { return of(trouble).since_ms != 0 && of(trouble).quiet == 0; }  // at the last one
  // The first review that found it; 0: it is not there.
  std::int64_t since_ms(Trouble trouble) const { return of(trouble).since_ms; }

  template <class F>
  void fields(F& f) {
    f(each_);
  }

 private:
  struct One {
    std::int64_t since_ms = 0;
    std::uint32_t quiet = 0;  // reviews in a row that did not find it

    template <class F>
    void fields(F& f) {
      f(since_ms, quiet);
    }
  };
  const One& of(Trouble trouble) const { return each_[static_cast<std::size_t>(trouble)]; }

  std::array<One, kTroubles> each_{};
};

// ", for 3 hours now"; empty for what has only just begun.
std::string since_words(std::int64_t since_ms, std::int64_t now_ms);

}  // namespace tarry::service
