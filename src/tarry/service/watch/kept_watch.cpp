#include "tarry/service/watch/kept_watch.h"

#include "tarry/base/bytes.h"
#include "tarry/base/error.h"
#include "tarry/base/kept_fields.h"

namespace tarry::service {
namespace {

// 1 has no weeks, no places of rounds, and no rounds behind alarms; 2 has no parts of spans and no challengers; 3 has
// no troubles, no means of numbers, and no count of the rounds before.
constexpr std::uint64_t kWatchForm = 4;
constexpr std::size_t kMostKeptClasses = 64;

// All of it except what is asked of the model again.
template <class F>
void model_fields(F& f, WatchedModel& of) {
  f(of.timeline, of.delays, of.choices, of.quality, of.by_class, of.duplicates, of.expired, of.refused, of.loss,
    of.constant, of.answer, of.labels);
}

}  // namespace

std::string kept_bytes(WatchedModel& of) {
  ByteWriter out;
  out.u64(kWatchForm);
  const std::lock_guard lock(of.mutex);
  FieldsOut fields(out);
  model_fields(fields, of);
  of.drift.save(out);
  fields(of.weeks);
  of.quality.later_fields(fields);
  fields(of.marks);
  of.quality.part_fields(fields);
  fields(of.beside);
  of.quality.trouble_fields(fields);
  fields(of.before);
  return out.take();
}

bool keep_on(WatchedModel& of, std::string_view bytes) {
  try {
    ByteReader in(bytes);
    const std::uint64_t form = in.u64();
    if (form == 0 || form > kWatchForm) return false;
    WatchedModel read;
    FieldsIn fields(in);
    model_fields(fields, read);
    read.drift.load(in, form);
    if (form == 1) {
      read.quality.forget_usual();
    } else {
      fields(read.weeks);
      read.quality.later_fields(fields);
      fields(read.marks);
    }
    if (form >= 3) {
      read.quality.part_fields(fields);
      fields(read.beside);
    }
    if (form >= 4) {
      read.quality.trouble_fields(fields);
      fields(read.before);
    }
    in.expect_end();
    if (!read.marks.is_sound() || !read.timeline.is_sound() || !read.weeks.is_sound() || !read.choices.is_sound() ||
        !read.quality.is_sound() || !read.beside.is_sound() || read.by_class.size() > kMostKeptClasses)
      return false;
    const std::lock_guard lock(of.mutex);
    of.timeline = std::move(read.timeline);
    of.weeks = std::move(read.weeks);
    of.delays = read.delays;
    of.choices = std::move(read.choices);
    of.quality = std::move(read.quality);
    of.drift = std::move(read.drift);
    of.marks.begin_with(std::move(read.marks));
    of.beside = std::move(read.beside);
    of.by_class = std::move(read.by_class);
    of.before = read.before;
    of.duplicates = read.duplicates;
    of.expired = read.expired;
    of.refused = read.refused;
    of.loss = read.loss;
    of.constant = read.constant;
    of.answer = std::move(read.answer);
    of.labels = read.labels;
    of.news.skip(of.quality, of.drift);
    return true;
  } catch (const Error&) {
    return false;
  }
}

std::string Watch::kept_bytes() const {
  ByteWriter out;
  out.u64(kWatchForm);
  const std::lock_guard lock(mutex_);
  FieldsOut fields(out);
  fields(total_, delays_);
  return out.take();
}

bool Watch::keep_on(std::string_view bytes) {
  try {
    ByteReader in(bytes);
    const std::uint64_t form = in.u64();
    if (form == 0 || form > kWatchForm) return false;
    Timeline total;
    DelayTimes delays;
    FieldsIn fields(in);
    fields(total, delays);
    in.expect_end();
    if (!total.is_sound()) return false;
    const std::lock_guard lock(mutex_);
    total_ = std::move(total);
    delays_ = delays;
    return true;
  } catch (const Error&) {
    return false;
  }
}

}  // namespace tarry::service
