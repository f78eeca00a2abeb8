#include "tarry/service/models/service.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <future>
#include <new>

#include "tarry/base/contract.h"
#include "tarry/hosting/names.h"
#include "tarry/hosting/spec_rules.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "tarry/service/host/feedback_batch.h"
#include "tarry/service/memory/memory.h"
#include "tarry/store/copies/import.h"

namespace tarry::service {

using namespace hosting;

Service::Service(Log& log, const Models& recovered, const Clock& clock, ServiceSetting setting)
    : log_(log),
      clock_(clock),
      setting_(std::move(setting)),
      committer_(log, setting_.broken, setting_.opening),
      workers_(setting_.workers),
      creation_(std::make_shared<Lane>(workers_, setting_.limits.lane)),
      copies_(std::make_shared<Lane>(workers_, setting_.limits.lane)),
      hashes_(std::make_shared<Lane>(workers_, setting_.limits.lane)),
      searches_(std::make_shared<Lane>(workers_, setting_.limits.lane)) {
  for (const ModelPointer& model : recovered.all())
    models_.add(std::make_shared<Served>(model, std::make_shared<Lane>(workers_, setting_.limits.lane)));
}

Service::~Service() { stop(); }

void Service::stop() { workers_.stop(); }

Rejection Service::overloaded() {
  ++counters_.overloaded;
  return Rejection(Rejection::kBusy, "overloaded", "this model is too far behind: try again later");
}

void Service::on_lane(const std::string& name, ReplyTo reply_to, Work work, bool when_durable) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply_to(no_such_model(name))();
  on_lane(served, std::move(reply_to), std::move(work), when_durable);
}

void Service::on_lane(const ServedPointer& served, ReplyTo reply_to, Work work, bool when_durable) {
  // Tasks are copied on their way; what a request brought is not.
  const auto asked = std::make_shared<const Work>(std::move(work));
  const auto task = [this, served, reply_to, asked, when_durable] {
    Send send = reply_to(or_rejection(true, [&] {
      if (served->gone) throw no_such_model(served->name);
      return (*asked)(*served);
    }));
    if (!when_durable) return send();
    committer_.when_durable(served->model->position(), std::move(send));
  };
  if (!served->lane->submit(task)) reply_to(overloaded())();
}

Committer::Room Service::reserve(std::size_t records, std::size_t bytes) {
  try {
    return committer_.reserve(records, bytes);
  } catch (const Error& error) {
    if (error.code() == Code::kFull) {
      lacks_descriptors_ = dynamic_cast<const OutOfDescriptors*>(&error) != nullptr;
      ++counters_.disk_full;
      wanted_ = std::max<std::size_t>(wanted_, bytes);
      if (!full_.exchange(true) && setting_.full) setting_.full(error.what());
    }
    throw;
  }
}

void Service::check_memory() const {
  const auto used = static_cast<std::uint64_t>(std::max<std::int64_t>(0, allocated_bytes()));
  if (setting_.limits.memory == 0 || used <= setting_.limits.memory) return;
  throw Rejection(
      Rejection::kNoRoom, "memory",
      fmt::format("the service holds {} bytes of memory, and may have {} (--max-memory): labels are taken, and "
                  "free what waits for them",
                  used, setting_.limits.memory));
}

// A model promises that nothing has changed when it throws Error. Of anything else nobody knows what it left behind:
// before it begins, there is room for what it may take, which is a copy of its largest array at twice the size.
template <class F>
auto Service::changing(Served& served, F change) {
  constexpr std::size_t kSome = std::size_t{16} << 20;
  const Room room(kSome + 2 * static_cast<std::size_t>(std::max<std::int64_t>(0, served.model->bytes())));
  try {
    ensure(served.lane->is_here(), "a model is touched on its lane alone");
    return change();
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    setting_.broken(fmt::format("model {}: an event was cut short: {}", served.name, error.what()));
    throw;
  }
}

void Service::change(Served& served, const std::function<void()>& change) { changing(served, change); }

Folded Service::fold(Served& served, const Apply& entry) {
  return changing(served, [&] {
    const auto start = std::chrono::steady_clock::now();
    Folded folded = served.model->apply(entry, setting_.epoch);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const Event gone = Void{folded.round};  // nobody is left who knows what was lost
    const Event& event = folded.stray && std::isnan(folded.loss) ? gone : entry.event;
    if (folded.fate == Fate::kApplied) served.note_applied(entry.event, folded);
    if (!folded.held) watch_.folded(served.watched, {*served.model, event, folded, seconds, entry.at_ms});
    return folded;
  });
}

// ---- what is deferred

void Service::activate(const std::string& name, const std::string& key, ReplyTo reply_to) {
  on_lane(name, std::move(reply_to), [this, key](Served& served) { return activate_now(served, key); });
}

FeedbackReplies Service::activate_now(Served& served, const std::string& key) {
  const Activate entry{.incarnation = served.model->incarnation(),
                       .at_ms = clock_.now_ms(),
                       .round = served.model->round_of(RoundName(key))};
  FeedbackReplies replies;
  if (entry.round == 0) replies.items.emplace_back(accepted(Fate::kUnknown, 0, counters_));  // throws
  if (!served.model->is_deferred(entry.round)) {
    replies.items.emplace_back(accepted(Fate::kDuplicate, entry.round, counters_));
    return replies;
  }
  const std::vector<std::string> bytes{entry_bytes(entry)};
  Committer::Room room = reserve(1, bytes[0].size());
  const Activated done = changing(served, [&] { return served.model->activate(entry); });
  append(served, std::move(room), bytes);
  for (const Activated::Passed& passed : done.passed)
    watch_.folded(served.watched, {*served.model, passed.event, passed.folded, 0, entry.at_ms});
  replies.items.emplace_back(Accepted{.round = entry.round});
  return replies;
}

void Service::append(Served& served, Committer::Room room, const std::vector<std::string>& entries) {
  if (entries.empty()) return;
  try {
    const std::vector<std::string_view> payloads(entries.begin(), entries.end());
    served.model->at(committer_.append(std::move(room), payloads));
    served.remember_closed(entries.size());
  } catch (const std::bad_alloc&) {  // with the reserve gone too: the model is ahead of its log
    setting_.broken("no memory to write down what was done");
    throw;
  }
  served.publish();
}

// ---- models come and go

namespace {

// What was sent is wrong then, not what is here.
Rejection bad_snapshot(const Error& error) {
  const Rejection rejection = rejection_of(error, false);
  return status_of(rejection.kind()) < 500 ? rejection : Rejection(Rejection::kMalformed, "bad_snapshot", error.what());
}

std::string hash_of_snapshot(const std::string& state) {
  try {
    return load_snapshot(state).hash();
  } catch (const Error& error) {
    throw bad_snapshot(error);
  }
}

}  // namespace

void Service::create(const std::string& name, spec::Value spec, ReplyTo reply_to) {
  if (!is_name(name)) return reply_to(bad_name())();
  const bool taken = creation_->submit([this, name, spec = std::move(spec), reply_to] {
    Send send = reply_to(or_rejection(false, [&]() -> Reply { return create_now(name, spec); }));
    committer_.when_durable(committer_.appended(), std::move(send));
  });
  if (!taken) reply_to(overloaded())();
}

Created Service::create_now(const std::string& name, const spec::Value& given) {
  check_names_no_file(given);
  const ModelSpec read = ModelSpec::read(given);
  const std::string spec = read.json();
  if (const ServedPointer known = models_.find(name)) {
    const Served::Facts facts = known->facts();
    const std::string difference = difference_from(given, facts.spec, facts.first_spec, "in the request");
    if (difference.empty()) return {name, known->model->incarnation(), facts.spec, true};
    throw Rejection(Rejection::kConflict, "conflict",
                    fmt::format("there is a model named {} already: {}", name, difference));
  }
  return {name, add_model({.name = name, .spec = spec, .at_ms = clock_.now_ms()}, read), spec};
}

void Service::create_from(const std::string& name, std::string state, ReplyTo reply_to) {
  if (!is_name(name)) return reply_to(bad_name())();
  const bool taken =
      creation_->submit([this, name, state = std::move(state), reply_to] { restore_now(name, state, reply_to); });
  if (!taken) reply_to(overloaded())();
}

void Service::restore_now(const std::string& name, const std::string& state, const ReplyTo& reply_to) {
  if (const ServedPointer known = models_.find(name)) {
    return on_lane(known, reply_to, [name, state](Served& served) {  // perhaps a request that was sent again
      const HostedModel& model = *served.model;
      if (hash_of_snapshot(state) == model.model().hash())
        return Created{name, model.incarnation(), model.model().spec(), true};
      throw Rejection(Rejection::kConflict, "conflict",
                      fmt::format("there is a model named {} already, in another state", name));
    });
  }
  Send send = reply_to(or_rejection(false, [&]() -> Reply {
    try {
      const Create create = store::create_from(name, state, clock_.now_ms());
      const ModelSpec spec = ModelSpec::parse(create.spec);
      check_names_no_file(spec.to_value());
      return Created{name, add_model(create, spec), create.spec};
    } catch (const Error& error) {
      throw bad_snapshot(error);
    }
  }));
  committer_.when_durable(committer_.appended(), std::move(send));
}

// Before a model is made, whether there is room for one more, and of its size.
Position Service::add_model(const Create& create, const ModelSpec& spec) {
  if (models_.size() >= setting_.limits.models)
    throw Rejection(Rejection::kTooLarge, "too_many_models",
                    fmt::format("there are {} models, the most", models_.size()));
  check_size(spec, setting_.limits.dimension);
  check_memory();
  const auto model = std::make_shared<HostedModel>(create);
  check_memory();
  const std::string entry = entry_bytes(create);
  const std::string_view payload = entry;
  committer_.append(reserve(1, entry.size()), {&payload, 1}, [&](Position position) {
    model->created(position);
    models_.add(std::make_shared<Served>(model, std::make_shared<Lane>(workers_, setting_.limits.lane)));
  });
  return model->incarnation();
}

void Service::remove(const std::string& name, ReplyTo reply_to) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply_to(no_such_model(name))();
  on_lane(served, std::move(reply_to), [this, served](Served& model) {
    const std::string entry = entry_bytes(Delete{.incarnation = model.model->incarnation()});
    const std::string_view payload = entry;
    model.model->at(
        committer_.append(reserve(1, entry.size()), {&payload, 1}, [&](Position) { models_.remove(served); }));
    model.gone = true;
    return Deleted{model.name};
  });
}

// ---- room and snapshots

std::optional<std::string> Service::cannot_write() const {
  if (!full_) return std::nullopt;
  return std::string(lacks_descriptors_ ? kNoDescriptor : kDiskFull) + "; reads and predictions are answered";
}

void Service::look_for_room() {
  if (!full_ && committer_.opened()) return;
  constexpr std::size_t kSome = 1 << 16;
  try {
    reserve(1, std::max<std::size_t>(kSome, wanted_));
    wanted_ = 0;
    if (full_.exchange(false) && setting_.room_again) setting_.room_again();
  } catch (const Error&) {  // still none
  }
}

Service::Saving Service::begin_save() {
  Saving saving;
  committer_.between_appends([&](Position last) {
    saving.head.position = last;
    saving.models = models_.all();
  });
  saving.head.epoch = setting_.epoch;
  saving.head.at_ms = clock_.now_ms();
  saving.head.models = saving.models.size();
  return saving;
}

// The lane is held up for no longer than this; the model is written down by the caller, while it goes on.
FrozenHosted Service::freeze(Served& served) {
  std::promise<FrozenHosted> frozen;
  served.lane->submit_always([&] {
    const MayFail own;
    try {
      const TallySince before;
      FrozenHosted copy = served.model->freeze();
      served.model->count_copy(before.bytes());
      frozen.set_value(std::move(copy));
    } catch (const std::bad_alloc&) {
      frozen.set_exception(std::make_exception_ptr(
          Error(Code::kOutOfMemory, fmt::format("model {}: no memory for a copy of its decision", served.name))));
    } catch (...) {
      frozen.set_exception(std::current_exception());
    }
  });
  return frozen.get_future().get();
}

void Service::save(const Saving& saving, const std::function<void(std::string_view)>& sink) {
  ByteWriter out(sink);
  save_head(out, saving.head);
  Position furthest = saving.head.position;
  for (const ServedPointer& served : saving.models) {
    std::optional<FrozenHosted> model = freeze(*served);
    const ReturnsCopy<FrozenHosted> returns{model, served};
    furthest = std::max(furthest, model->position);
    save_model(out, *model);
  }
  out.flush();
  std::promise<void> durable;
  committer_.when_durable(furthest, [&] { durable.set_value(); });
  durable.get_future().get();
}

}  // namespace tarry::service
