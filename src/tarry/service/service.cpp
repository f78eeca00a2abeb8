#include "tarry/service/service.h"

#include <fmt/format.h>

#include <chrono>
#include <future>

#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "tarry/service/names.h"
#include "tarry/service/spec_rules.h"
#include "tarry/store/import.h"

namespace tarry::service {

Service::Service(store::Log& log, const store::Models& recovered, const Clock& clock, ServiceSetting setting)
    : clock_(clock),
      setting_(std::move(setting)),
      committer_(log, setting_.broken),
      workers_(setting_.workers),
      creation_(std::make_shared<Lane>(workers_, setting_.limits.lane)) {
  for (const store::ModelPointer& model : recovered.all())
    models_.add(std::make_shared<Served>(model, std::make_shared<Lane>(workers_, setting_.limits.lane)));
}

Service::~Service() { stop(); }

void Service::stop() { workers_.stop(); }

Refusal Service::overloaded() {
  ++counters_.overloaded;
  return Refusal(503, "overloaded", "this model is too far behind: try again later");
}

void Service::on_lane(const std::string& name, Reply reply, Work work, bool when_durable) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply(error_response(no_such_model(name)));
  on_lane(served, std::move(reply), std::move(work), when_durable);
}

void Service::on_lane(const ServedPointer& served, Reply reply, Work work, bool when_durable) {
  const auto task = [this, served, reply, work = std::move(work), when_durable] {
    Response response = or_refusal(true, [&] {
      if (served->gone) throw no_such_model(served->name);
      return work(*served);
    });
    if (!when_durable) return reply(std::move(response));
    committer_.when_durable(served->model->position(),
                            [reply, response = std::move(response)]() mutable { reply(std::move(response)); });
  };
  if (!served->lane->submit(task)) reply(error_response(overloaded()));
}

Committer::Room Service::reserve(std::size_t records, std::size_t bytes) {
  try {
    Committer::Room room = committer_.reserve(records, bytes);
    full_ = false;
    return room;
  } catch (const Error& error) {
    if (error.code() == Code::kFull) {
      full_ = true;
      ++counters_.disk_full;
    }
    throw;
  }
}

// A model promises that nothing has changed when it throws Error. Of anything else nobody knows what it left behind.
store::Folded Service::fold(Served& served, const store::Apply& entry) {
  try {
    const auto start = std::chrono::steady_clock::now();
    store::Folded folded = served.model->apply(entry, setting_.epoch);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    watch_.folded(served.watched, {*served.model, entry.event, folded, seconds, entry.at_ms});
    return folded;
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    setting_.broken(fmt::format("model {}: an event was cut short: {}", served.name, error.what()));
    throw;
  }
}

void Service::append(Served& served, Committer::Room room, const std::vector<std::string>& entries) {
  if (entries.empty()) return;
  const std::vector<std::string_view> payloads(entries.begin(), entries.end());
  served.model->at(committer_.append(std::move(room), payloads));
  served.publish();
}

// ---- models come and go

namespace {

Refusal bad_name() { return Refusal(400, "bad_name", fmt::format("a model's name must be {}", kNameRule), "name"); }

Response created(int status, const std::string& name, Position incarnation, const std::string& spec) {
  return {.status = status,
          .body = fmt::format("{{\"name\": \"{}\", \"incarnation\": {}, \"spec\": {}}}", name, incarnation, spec)};
}

// What was sent is wrong then, not what is here.
Refusal bad_snapshot(const Error& error) {
  const Refusal refusal = refusal_of(error, false);
  return refusal.status() < 500 ? refusal : Refusal(400, "bad_snapshot", error.what());
}

std::string hash_of_snapshot(const std::string& state) {
  try {
    return load_snapshot(state).hash();
  } catch (const Error& error) {
    throw bad_snapshot(error);
  }
}

}  // namespace

void Service::create(const std::string& name, spec::Value spec, Reply reply) {
  if (!is_name(name)) return reply(error_response(bad_name()));
  const bool taken = creation_->submit([this, name, spec = std::move(spec), reply] {
    Response response = or_refusal(false, [&] { return create_now(name, spec); });
    committer_.when_durable(committer_.appended(), [reply, response]() mutable { reply(std::move(response)); });
  });
  if (!taken) reply(error_response(overloaded()));
}

Response Service::create_now(const std::string& name, const spec::Value& given) {
  check_names_no_file(given);
  const ModelSpec read = ModelSpec::read(given);
  const std::string spec = read.json();
  if (const ServedPointer known = models_.find(name)) {
    const std::string difference = first_difference(
        read.to_value(), ModelSpec::parse(known->model->model().spec()).to_value(), "in the request", "in the model");
    if (difference.empty()) return created(200, name, known->model->incarnation(), spec);
    throw Refusal(409, "conflict", fmt::format("there is a model named {} already: {}", name, difference));
  }
  return created(201, name, add_model({.name = name, .spec = spec, .at_ms = clock_.now_ms()}, read), spec);
}

void Service::create_from(const std::string& name, std::string state, Reply reply) {
  if (!is_name(name)) return reply(error_response(bad_name()));
  const bool taken =
      creation_->submit([this, name, state = std::move(state), reply] { restore_now(name, state, reply); });
  if (!taken) reply(error_response(overloaded()));
}

void Service::restore_now(const std::string& name, const std::string& state, const Reply& reply) {
  if (const ServedPointer known = models_.find(name)) {
    return on_lane(known, reply, [name, state](Served& served) {  // perhaps a request that was sent again
      const store::HostedModel& model = *served.model;
      if (hash_of_snapshot(state) == model.model().hash())
        return created(200, name, model.incarnation(), model.model().spec());
      throw Refusal(409, "conflict", fmt::format("there is a model named {} already, in another state", name));
    });
  }
  Response response = or_refusal(false, [&] {
    try {
      const store::Create create = store::create_from(name, state, clock_.now_ms());
      const ModelSpec spec = ModelSpec::parse(create.spec);
      check_names_no_file(spec.to_value());
      return created(201, name, add_model(create, spec), create.spec);
    } catch (const Error& error) {
      throw bad_snapshot(error);
    }
  });
  committer_.when_durable(committer_.appended(), [reply, response]() mutable { reply(std::move(response)); });
}

// Before a model is made, whether there is room for one more, and of its size.
Position Service::add_model(const store::Create& create, const ModelSpec& spec) {
  if (models_.size() >= setting_.limits.models)
    throw Refusal(413, "too_many_models", fmt::format("there are {} models, the most", models_.size()));
  check_size(spec, setting_.limits.dimension);
  const auto model = std::make_shared<store::HostedModel>(create);
  const std::string entry = store::entry_bytes(create);
  const std::string_view payload = entry;
  committer_.append(reserve(1, entry.size()), {&payload, 1}, [&](Position position) {
    model->created(position);
    models_.add(std::make_shared<Served>(model, std::make_shared<Lane>(workers_, setting_.limits.lane)));
  });
  return model->incarnation();
}

void Service::remove(const std::string& name, Reply reply) {
  const ServedPointer served = models_.find(name);
  if (!served) return reply(error_response(no_such_model(name)));
  on_lane(served, std::move(reply), [this, served](Served& model) {
    const std::string entry = store::entry_bytes(store::Delete{.incarnation = model.model->incarnation()});
    const std::string_view payload = entry;
    model.model->at(
        committer_.append(reserve(1, entry.size()), {&payload, 1}, [&](Position) { models_.remove(served); }));
    model.gone = true;
    return Response{.body = fmt::format("{{\"name\": \"{}\", \"deleted\": true}}", model.name)};
  });
}

// ---- time and snapshots

void Service::look_for_room() {
  if (!full_) return;
  constexpr std::size_t kSome = 1 << 16;
  try {
    reserve(1, kSome);
  } catch (const Error&) {  // still none
  }
}

void Service::expire_overdue() {
  for (const ServedPointer& served : models_.all()) {
    const std::int64_t since = served->numbers.oldest_since_ms;
    const double seconds = served->model->model().expiry().seconds;  // it never changes
    if (seconds <= 0 || since == 0) continue;
    const auto before = clock_.now_ms() - static_cast<std::int64_t>(seconds * 1000);
    if (since >= before) continue;
    served->lane->submit([this, served, before] {
      if (!served->gone) expire_now(*served, before);
    });
  }
}

void Service::expire_now(Served& served, std::int64_t before_ms) {
  constexpr std::size_t kAtATime = 1000;
  try {
    for (const Round round : served.model->waiting_since_before(before_ms, kAtATime)) {
      const store::Apply apply{
          .incarnation = served.model->incarnation(), .at_ms = clock_.now_ms(), .event = Expire{round}};
      const std::string entry = store::entry_bytes(apply);
      Committer::Room room = reserve(1, entry.size());
      if (fold(served, apply).fate != store::Fate::kApplied) continue;
      ++counters_.expired;
      append(served, std::move(room), {entry});
    }
  } catch (const Error&) {  // a full disk: at the next tick
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

// The lane is held up for no longer than this; the model is written down by whoever called, while it goes on.
store::FrozenHosted Service::freeze(Served& served) {
  std::promise<store::FrozenHosted> frozen;
  served.lane->submit_always([&] {
    try {
      frozen.set_value(served.model->freeze());
    } catch (const std::bad_alloc&) {
      frozen.set_exception(std::make_exception_ptr(
          Error(Code::kOutOfMemory, fmt::format("model {}: no memory for a copy of its decision", served.name))));
    }
  });
  return frozen.get_future().get();
}

void Service::save(const Saving& saving, const std::function<void(std::string_view)>& sink) {
  ByteWriter out(sink);
  store::save_head(out, saving.head);
  Position furthest = saving.head.position;
  for (const ServedPointer& served : saving.models) {
    const store::FrozenHosted model = freeze(*served);
    furthest = std::max(furthest, model.position);
    store::save_model(out, model);
  }
  out.flush();
  std::promise<void> durable;
  committer_.when_durable(furthest, [&] { durable.set_value(); });
  durable.get_future().get();
}

}  // namespace tarry::service
