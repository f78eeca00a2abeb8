#include "tarry/store/snapshots/saved_models.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/base/version.h"

namespace tarry::store {

using namespace hosting;  // entries and models
namespace {

std::string in_words(std::uint64_t number, const std::string& engine) {
  std::string text = number == kArithmeticUnknown ? std::string("arithmetic of an unknown number")
                                                  : fmt::format("arithmetic {}", number);
  if (!engine.empty()) text += fmt::format(" (tarry {})", engine);
  return text;
}

}  // namespace

Models load_models(const Snapshots& snapshots, const Saved& saved) {
  const Position position = saved.head.position;
  Models models;
  try {
    ByteReader in(saved.state);
    models.load(in);
    in.expect_end();
  } catch (const Error& error) {
    if (error.code() == Code::kOutOfMemory) throw;
    throw Error(Code::kCorrupt, snapshots.path(position) + ": " + error.what());
  }
  // A snapshot of format 1 has no salt, but its state has the epoch.
  if (!saved.head.origin) snapshots.check_epoch(position, models.head().epoch);
  return models;
}

ArithmeticWatch::ArithmeticWatch(const SavedHead* saved)
    : base_number_(saved ? saved->arithmetic : kArithmetic), number_(saved ? saved->arithmetic : kArithmeticUnknown) {
  if (saved == nullptr) return;
  base_ = saved->position;
  engine_ = other_engine_ = saved->engine;
  folded_from_ = saved->arithmetic == kArithmetic ? saved->folded_from : saved->position;
  check_not_later(base_);
}

void ArithmeticWatch::check_not_later(Position position) const {
  if (number_ <= kArithmetic) return;
  throw Error(Code::kUnsupported,
              fmt::format("the log at entry {} was written with {}, which is later than this program's {} (tarry {}): "
                          "use that version",
                          position, in_words(number_, engine_), kArithmetic, kVersion));
}

void ArithmeticWatch::see(Position position, const Entry& entry) {
  if (const auto* opened = std::get_if<Opened>(&entry)) {
    number_ = opened->arithmetic;
    engine_ = opened->engine;
    return check_not_later(position);
  }
  if (number_ == kArithmetic) return;
  if (first_other_ == 0) {
    first_other_ = position;
    other_number_ = number_;
    other_engine_ = engine_;
  }
  last_other_ = position;
}

std::optional<std::string> ArithmeticWatch::told() const {
  const std::string from = base_ == 0 ? "the first entry" : fmt::format("the snapshot at {}", base_);
  if (first_other_ != 0)
    return fmt::format(
        "entries {} to {} were written with {}: they are folded from {} on with arithmetic {}, and bits "
        "may differ from what was answered then",
        first_other_, last_other_, in_words(other_number_, other_engine_), from, kArithmetic);
  if (base_number_ != kArithmetic)
    return fmt::format("{} was folded with {}: from there on the log is folded with arithmetic {}", from,
                       in_words(base_number_, other_engine_), kArithmetic);
  return std::nullopt;
}

}  // namespace tarry::store
