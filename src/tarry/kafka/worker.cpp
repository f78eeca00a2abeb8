#include "tarry/kafka/worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

#include "tarry/base/arithmetic.h"
#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/features/hash.h"
#include "tarry/kafka/outcome_head.h"

namespace tarry::kafka {
namespace {

// For how long something took, and when it is due again: no clock that somebody sets.
std::int64_t steady_ms() { return hosting::Clock::monotonic_ms(); }

}  // namespace

struct Worker::Held {
  Partition state;
  Offset emit_from = 0;
  std::map<Offset, Answered> known;   // outcomes that are there: what is folded again must come out the same
  std::vector<std::string> old_keys;  // of snapshots before the last
  Offset saved_at = -1;               // the last snapshot of this engine; -1: none
  std::int64_t saved_ms = 0;
  std::int64_t assigned_ms = 0;
  Offset assigned_at = 0;
  bool caught_up = false;                                 // has been, since it was assigned
  std::map<hosting::Position, std::set<Round>> given_up;  // what was said to be overdue and is not folded yet
};

Worker::Worker(WorkerOptions options, hosting::JsonLog& log, std::function<std::int64_t()> wall_ms)
    : options_(std::move(options)),
      topics_(options_.prefix),
      log_(log),
      wall_ms_(std::move(wall_ms)),
      expiry_(options_.expiry_hold_ms) {}

Worker::~Worker() = default;

void Worker::run(const std::atomic<bool>& stop) {
  stop_ = &stop;
  const Found found = find_topics(options_.brokers, topics_);
  check_shape(topics_, found);
  refuse_dangers(topics_, found, options_.unsafe_topics, [this](const std::string& danger) {
    log_.warning("unsafe_topic", {{"why", {danger}}});
  });
  producer_ = std::make_unique<Producer>(options_.brokers);
  join();
  log_.info("started", {{"engine", {std::string(kVersion)}},
                        {"client", {client_version()}},
                        {"partitions", {std::int64_t{found.events.partitions}}}});
  while (!stop) {
    try {
      work();
    } catch (const Fenced& error) {
      come_back(error);
    }
  }
  if (consumer_) consumer_->close();  // saves what is held
  log_.info("stopped", {{"folded", {static_cast<std::int64_t>(folded_)}},
                        {"outcomes", {static_cast<std::int64_t>(emitted_)}},
                        {"errors", {static_cast<std::int64_t>(errors_)}}});
}

void Worker::join() {
  consumer_ = std::make_unique<GroupConsumer>(
      options_.brokers,
      GroupSetting{.group = options_.group,
                   .instance = options_.instance,
                   .topic = topics_.events,
                   .session_ms = options_.session_ms,
                   .assigned = [this](const std::vector<int>& partitions) { return assigned(partitions); },
                   .revoked = [this](const std::vector<int>& partitions, bool lost) { revoked(partitions, lost); }});
}

void Worker::work() {
  const auto visit = [this](const Record& record) { fold(record); };
  bool more = consumer_->poll(50, visit);
  for (int i = 0; i < 1000 && more; ++i) more = consumer_->poll(0, visit);
  producer_->poll();
  if (!more) note_caught_up();
  if (steady_ms() - ticked_ms_ >= 1000) tick();
}

// Somebody else may have the partitions by now: nothing is saved. Where two workers were given one name they throw each
// other out, so each waits longer before it comes back.
void Worker::come_back(const Fenced& error) {
  constexpr std::int64_t kFirstMs = 500, kLongestMs = 60'000;
  std::vector<int> all;
  for (const auto& [partition, held] : held_) all.push_back(partition);
  revoked(all, true);
  consumer_.reset();
  const std::int64_t now = steady_ms();
  const bool again = fenced_ms_ > 0 && now - fenced_ms_ < 2 * kLongestMs;
  back_in_ms_ = again ? std::min(2 * back_in_ms_, kLongestMs) : kFirstMs;
  fenced_ms_ = now;
  log_.warning("fenced", {{"why", {std::string(error.what())}},
                          {"instance", {options_.instance}},
                          {"back_in_ms", {back_in_ms_}},
                          {"if_it_repeats", {std::string("two workers have the same --instance: give each its own")}}});
  for (std::int64_t waited = 0; waited < back_in_ms_ && !*stop_; waited += 50)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  if (!*stop_) join();
}

std::vector<Offset> Worker::assigned(const std::vector<int>& partitions) {
  std::vector<Offset> from;
  for (const int partition : partitions) {
    const std::int64_t began = steady_ms();
    auto found = take_over(
        options_.brokers, topics_, partition, this_engine(), [this] { return stop_->load(); },
        [&](const std::string& why) {
          log_.warning("waits", {{"partition", {std::int64_t{partition}}}, {"why", {why}}});
        });
    auto held = std::make_unique<Held>();
    if (found) begin(partition, *held, *found);
    from.push_back(held->state.next());
    log_.info("assigned", {{"partition", {std::int64_t{partition}}},
                           {"next", {held->state.next()}},
                           {"emits_from", {held->emit_from}},
                           {"models", {static_cast<std::int64_t>(held->state.models().all().size())}},
                           {"ms", {steady_ms() - began}}});
    if (found) held_.insert_or_assign(partition, std::move(held));
  }
  current_ = nullptr;
  current_partition_ = -1;
  return from;
}

void Worker::begin(int partition, Held& held, Takeover& found) {
  if (found.start.snapshot) {
    held.state.load(found.shelf.bytes(*found.start.snapshot).value());
    if (held.state.next() != found.start.snapshot->next)
      throw Error(Code::kCorrupt, fmt::format("kafka: the snapshot {} of partition {} says that it is one of {}",
                                              found.start.snapshot->next, partition, held.state.next()));
    if (this_engine().wrote(*found.start.snapshot))
      held.saved_at = found.start.snapshot->next;
    else if (found.start.snapshot->arithmetic != kArithmetic)
      log_.warning("other arithmetic",
                   {{"partition", {std::int64_t{partition}}},
                    {"why",
                     {fmt::format("the first {} events were folded by tarry {} with {}: from there on they are "
                                  "folded with arithmetic {}",
                                  found.start.snapshot->next, found.start.snapshot->engine,
                                  found.start.snapshot->arithmetic == kArithmeticUnknown
                                      ? std::string("arithmetic of an unknown number")
                                      : fmt::format("arithmetic {}", found.start.snapshot->arithmetic),
                                  kArithmetic)}}});
  }
  held.emit_from = found.start.emit_from;
  held.known = std::move(found.tail.outcomes);
  held.old_keys = found.shelf.keys_before(held.state.next());
  held.saved_ms = held.assigned_ms = steady_ms();
  held.assigned_at = held.state.next();
  // From here on this version answers: a snapshot says so before the first outcome does.
  if (held.saved_at < 0) save(partition, held);
}

void Worker::revoked(const std::vector<int>& partitions, bool lost) {
  for (const int partition : partitions) {
    const auto found = held_.find(partition);
    if (found == held_.end()) continue;
    if (!lost && found->second->state.next() != found->second->saved_at) save(partition, *found->second);
    log_.info("revoked",
              {{"partition", {std::int64_t{partition}}}, {"next", {found->second->state.next()}}, {"lost", {lost}}});
    held_.erase(found);
  }
  current_ = nullptr;
  current_partition_ = -1;
}

void Worker::fold(const Record& record) {
  if (record.partition != current_partition_) {
    const auto found = held_.find(record.partition);
    if (found == held_.end()) return;  // fetched before it was given back
    current_ = found->second.get();
    current_partition_ = record.partition;
  }
  Held& held = *current_;
  if (record.offset < held.state.next()) return;
  const OutcomeBytes outcome = record_of(held.state.apply(record));
  ++folded_;
  if (record.offset < held.emit_from) {
    const auto before = held.known.find(record.offset);
    if (before != held.known.end() && before->second.hash != hash_text(outcome_head(outcome.json)->rest))
      throw Error(Code::kConflict,
                  fmt::format("kafka: event {} of partition {} was answered otherwise before: another version of the "
                              "engine did it, or the topics do not belong together",
                              record.offset, record.partition));
  } else {
    held.known.clear();
    producer_->send(topics_.decisions, record.partition, record.key, outcome.json);
    ++emitted_;
    if (outcome.rejected) ++errors_;
  }
  if (held.state.next() - std::max<Offset>(held.saved_at, 0) >= options_.snapshot_every) save(record.partition, held);
}

// The outcomes first: a snapshot must never be ahead of them. Then the snapshot, and only then may older ones go.
void Worker::save(int partition, Held& held) {
  const std::int64_t began = steady_ms();
  const SnapshotName name{held.state.next(), kVersion, kArithmetic};
  producer_->flush();
  const std::string bytes = held.state.save();
  const std::vector<Chunk> chunks = chunks_of(name, bytes);
  for (const Chunk& chunk : chunks) producer_->send(topics_.snapshots, partition, chunk.key, chunk.value);
  producer_->flush();
  for (const std::string& key : held.old_keys) producer_->send(topics_.snapshots, partition, key, std::nullopt);
  held.old_keys.clear();
  for (const Chunk& chunk : chunks) held.old_keys.push_back(chunk.key);
  held.saved_at = name.next;
  held.saved_ms = steady_ms();
  log_.info("saved", {{"partition", {std::int64_t{partition}}},
                      {"next", {name.next}},
                      {"bytes", {static_cast<std::int64_t>(bytes.size())}},
                      {"ms", {held.saved_ms - began}}});
}

void Worker::note_caught_up() {
  for (const auto& [partition, held] : held_) {
    if (held->caught_up || held->state.next() < std::max(held->emit_from, consumer_->end(partition))) continue;
    if (consumer_->end(partition) < 0) continue;
    held->caught_up = true;
    producer_->flush();  // the outcomes count, not that they were thought of
    log_.info("caught_up", {{"partition", {std::int64_t{partition}}},
                            {"next", {held->state.next()}},
                            {"events", {held->state.next() - held->assigned_at}},
                            {"ms", {steady_ms() - held->assigned_ms}}});
  }
}

void Worker::tick() {
  ticked_ms_ = steady_ms();
  std::map<int, Offset> next;
  watch_clock();
  for (const auto& [partition, held] : held_) {
    next.emplace(partition, held->state.next());
    expire_overdue(partition, *held);
    if (held->state.next() != held->saved_at && ticked_ms_ - held->saved_ms >= options_.snapshot_after_ms)
      save(partition, *held);
  }
  consumer_->commit(next);
}

bool Worker::has_read_all(int partition, const Held& held) const {
  return held.state.next() >= std::max(held.emit_from, consumer_->end(partition));
}

// The clock begins with the latest event, once all that is held has been read.
void Worker::watch_clock() {
  std::int64_t last = 0;
  bool read = expiry_.began() || !held_.empty(), matters = false;
  for (const auto& [partition, held] : held_) {
    if (!expiry_.began() && (consumer_->end(partition) < 0 || !has_read_all(partition, *held))) read = false;
    last = std::max(last, held->state.models().head().at_ms);
    for (const hosting::ModelPointer& model : held->state.models().all())
      matters = matters || (model->model().expiry().seconds > 0 && model->oldest_since_ms());
  }
  if (!read) return;
  if (options_.told_to_go_on && options_.told_to_go_on()) expiry_.go_on();
  const std::int64_t wall_ms = wall_ms_();
  if (const auto news = expiry_.look(wall_ms, last, matters)) tell(*news, wall_ms);
}

void Worker::tell(const hosting::ClockNews& news, std::int64_t wall_ms) {
  spec::Object line{{"why", {hosting::in_words(news)}}};
  if (!expiry_.holds()) {
    const bool well = news.kind == hosting::ClockNews::kAgrees || news.kind == hosting::ClockNews::kGoesOn;
    return well ? log_.info("clock", std::move(line)) : log_.warning("clock", std::move(line));
  }
  spec::Object would_expire;
  for (const auto& [partition, held] : held_)
    for (const hosting::ModelPointer& model : held->state.models().all()) {
      const double seconds = model->model().expiry().seconds;
      const auto before = wall_ms - static_cast<std::int64_t>(seconds * 1000);
      const std::size_t count =
          seconds > 0 ? model->waiting_since_before(before, std::numeric_limits<std::size_t>::max()).size() : 0;
      if (count > 0) would_expire.push_back({model->name(), {static_cast<std::int64_t>(count)}});
    }
  line.push_back({"expiry_held_seconds", {expiry_.hold_ms() / 1000}});
  line.push_back({"would_expire", {std::move(would_expire)}});
  line.push_back({"to_stop_it", {std::string("stop the worker, set the clock right, and start it again")}});
  line.push_back({"to_go_on_at_once", {fmt::format("kill -USR1 {}", ::getpid())}});
  log_.warning("clock", std::move(line));
}

// Rounds whose time has passed are given up by an event, so that every fold sees it at the same place. While there is
// more to read their feedback may be there already.
void Worker::expire_overdue(int partition, Held& held) {
  constexpr std::size_t kAtATime = 1000;
  if (!expiry_.began() || expiry_.holds() || !has_read_all(partition, held)) return;
  for (const hosting::ModelPointer& model : held.state.models().all()) {
    const double seconds = model->model().expiry().seconds;
    if (seconds <= 0) continue;
    const auto before = expiry_.now_ms() - static_cast<std::int64_t>(seconds * 1000);
    std::set<Round> overdue;
    for (const Round round : model->waiting_since_before(before, kAtATime)) overdue.insert(round);
    std::set<Round>& said = held.given_up[model->incarnation()];
    for (const Round round : overdue)
      if (!said.contains(round))
        producer_->send(topics_.events, partition, model->name(), fmt::format("{{\"expire\": {}}}", round));
    said = std::move(overdue);
  }
}

}  // namespace tarry::kafka
