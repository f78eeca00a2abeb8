#include "tarry/service/routes/routes.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "tarry/service/http/errors.h"
#include "tarry/service/http/response_text.h"
#include "tarry/service/memory/memory.h"
#include "tarry/service/personalizer/replies.h"
#include "tarry/service/routes/bodies.h"
#include "tarry/service/routes/door.h"
#include "tarry/service/routes/http_reply.h"

namespace tarry::service {
namespace {

using Call = Keeper::Call;

constexpr std::string_view kModels = "/v1/models", kFeedback = "/v1/feedback";

// A web page of another origin can post forms and text without asking first, but not these.
void check_type(const Request& request, std::string_view wanted) {
  std::string type = request.content_type.substr(0, request.content_type.find(';'));
  type.erase(std::remove(type.begin(), type.end(), ' '), type.end());
  std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return std::tolower(c); });
  if (type != wanted)
    throw Refusal(415, "unsupported_media_type", fmt::format("Content-Type must be {}", wanted), "Content-Type");
}

bool is_personalizers(const std::string& path) { return path.starts_with(personalizer::kRoot); }

// What `f` throws, as the answer at this address; nothing: it threw nothing.
template <class F>
std::optional<Response> refused_by(const std::string& path, F f) {
  const bool theirs = is_personalizers(path);
  try {
    f();
    return std::nullopt;
  } catch (const NotAllowed& refusal) {
    Response response = theirs ? personalizer::refused(path, refusal) : error_response(refusal);
    response.headers.emplace_back("Allow", refusal.methods);  // the standard wants them there too
    return response;
  } catch (const Refusal& refusal) {
    return theirs ? personalizer::refused(path, refusal) : error_response(refusal);
  } catch (const std::exception&) {
    Reply reply = hosting::or_rejection(false, []() -> Reply { throw; });
    return theirs ? personalizer::refused(path, reply) : response_of(std::move(reply));
  }
}

// For the log, where names of events do not belong.
std::string shown_path(const std::string& path) {
  constexpr std::string_view kEvents = "/events/";
  const auto id = is_personalizers(path) ? path.find(kEvents) : std::string::npos;
  if (id == std::string::npos) return path;
  const auto behind = path.find('/', id + kEvents.size());
  return path.substr(0, id) + "/events/{eventId}" + (behind == std::string::npos ? "" : path.substr(behind));
}

// A door to the host, whose reply becomes the response.
template <class F>
auto to_host(F ask) {
  return [ask](const Request& request, const Respond& respond) { ask(request, reply_over(respond)); };
}

}  // namespace

Routes::Routes(Host& host, Access& access, RoutesSetting setting)
    : host_(host), access_(access), setting_(std::move(setting)) {}

Admission Routes::admit(const Request& head) {
  const auto start = Clock::now();
  Admission admission;
  admission.refusal = refused_by(head.path, [&] {
    const Door door = door_of(head);
    if (!door.scope) return;
    if (door.by_key)
      access_.model_for(head, *door.scope);
    else
      access_.check(head, *door.scope);
    admission.known = true;
    admission.takes_body = door.body != Door::Body::kNone;
    if (door.body == Door::Body::kJson) check_type(head, "application/json");
    if (door.body == Door::Body::kTable) check_type(head, "text/csv");
  });
  // What is laid by for the work around a request comes first; feedback, which frees memory, may use half of it.
  const bool feedback = head.path == kFeedback || (is_personalizers(head.path) && head.path.ends_with("/reward"));
  if (admission.takes_body && !fill_reserve() && !(feedback && reserve_is_half_full()))
    admission.refusal = out_of_memory_response();
  if (admission.refusal) count(head.method, head.path, *admission.refusal, start);
  return admission;
}

void Routes::handle(Request request, Respond respond) {
  const auto start = Clock::now();
  const Respond counted = [this, method = request.method, path = request.path, start,
                           respond = std::move(respond)](Response response) {
    count(method, path, response, start);
    respond(std::move(response));
  };
  if (auto refused = refused_by(request.path, [&] {
        const Door door = door_of(request);
        if (door.scope && !door.by_key) access_.check(request, *door.scope);
        door.enter(request, counted);
      }))
    counted(*std::move(refused));
}

void Routes::count(const std::string& method, const std::string& path, const Response& response,
                   Clock::time_point start) {
  const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
  host_.counters().answered(response.status, seconds);
  try {
    if (setting_.answered) setting_.answered(path, response);
    if (setting_.seen) setting_.seen(method, shown_path(path), response.status, seconds);
  } catch (const std::bad_alloc&) {  // the answer matters more than a word about it
  }
}

Routes::Door Routes::door_of(const Request& request) const {
  const std::string& path = request.path;
  if (const auto page = setting_.pages.find(path); page != setting_.pages.end()) {
    allow(request, {"GET"});
    return {page->second.scope, Door::Body::kNone,
            [&get = page->second.get](const Request& asked, const Respond& respond) { respond(get(asked)); }};
  }
  if (path == "/healthz") {
    allow(request, {"GET"});
    return {std::nullopt, Door::Body::kNone,
            [](const Request&, const Respond& respond) { respond({.body = "{\"status\": \"alive\"}"}); }};
  }
  if (path == "/readyz") {
    allow(request, {"GET"});
    return {std::nullopt, Door::Body::kNone, [this](const Request&, const Respond& respond) {
              if (const auto why = setting_.not_ready()) throw Refusal(503, "not_ready", *why);
              respond({.body = "{\"status\": \"ready\"}"});
            }};
  }
  if (is_personalizers(path)) return personalizer_door(request);
  if (path == kFeedback) {
    allow(request, {"POST"});
    return {Scope::kFeedback, Door::Body::kJson, to_host([this](const Request& asked, ReplyTo to) {
              host_.feedback(read_feedback(asked, host_), std::move(to));
            })};
  }
  if (path == kModels) {
    if (setting_.from_table && request.method == "POST")
      return {Scope::kAdmin, Door::Body::kTable, setting_.from_table};
    if (setting_.from_table)
      allow(request, {"GET", "POST"});
    else
      allow(request, {"GET"});
    return {Scope::kRead, Door::Body::kNone,
            to_host([this](const Request&, const ReplyTo& to) { host_.keeper(Call::kList).list(to); })};
  }
  if (!path.starts_with(kModels) || path[kModels.size()] != '/') throw no_such_address();
  const std::string rest = path.substr(kModels.size() + 1);
  const auto slash = rest.find('/');
  return model_door(request, rest.substr(0, slash), slash == std::string::npos ? "" : rest.substr(slash));
}

Routes::Door Routes::model_door(const Request& request, const std::string& name, const std::string& rest) const {
  using Body = Door::Body;
  if (rest.empty()) {
    allow(request, {"PUT", "GET", "DELETE"});
    if (request.method == "GET")
      return {Scope::kRead, Body::kNone, to_host([this, name](const Request&, ReplyTo to) {
                host_.keeper(Call::kDescribe).describe(name, std::move(to));
              })};
    if (request.method == "DELETE")
      return {Scope::kAdmin, Body::kNone,
              to_host([this, name](const Request&, ReplyTo to) { host_.remove(name, std::move(to)); })};
    return {Scope::kAdmin, Body::kJson, to_host([this, name](const Request& asked, ReplyTo to) {
              host_.create(name, read_body(asked), std::move(to));
            })};
  }
  if (rest == "/decisions") {
    allow(request, {"POST"});
    return {Scope::kDecide, Body::kJson, to_host([this, name](const Request& asked, ReplyTo to) {
              host_.decide(name, read_decide(asked, host_.limits()), std::move(to));
            })};
  }
  if (rest == "/choices") {
    allow(request, {"POST"});
    return {Scope::kDecide, Body::kJson, to_host([this, name](const Request& asked, ReplyTo to) {
              host_.decide(name, read_choose(asked, host_.limits()), std::move(to));
            })};
  }
  if (rest == "/predict") {
    allow(request, {"POST"});
    return {Scope::kDecide, Body::kJson, to_host([this, name](const Request& asked, ReplyTo to) {
              host_.keeper(Call::kPredict).predict(name, read_predict(asked, host_.limits()), std::move(to));
            })};
  }
  if (rest == "/view") {
    allow(request, {"GET"});
    return {Scope::kRead, Body::kNone,
            to_host([this, name](const Request&, ReplyTo to) { host_.keeper(Call::kView).view(name, std::move(to)); })};
  }
  if (rest == "/quality") {
    allow(request, {"GET"});
    return {Scope::kRead, Body::kNone, to_host([this, name](const Request&, ReplyTo to) {
              host_.keeper(Call::kQuality).quality(name, std::move(to));
            })};
  }
  if (rest == "/rounds") {
    allow(request, {"GET"});
    return {Scope::kAdmin, Body::kNone, to_host([this, name](const Request& asked, ReplyTo to) {
              host_.keeper(Call::kRounds).rounds(name, read_rounds(asked, host_), std::move(to));
            })};
  }
  if (rest == "/snapshot") {
    allow(request, {"GET", "PUT"});
    if (request.method == "PUT")
      return {Scope::kAdmin, Body::kBytes, to_host([this, name](const Request& asked, ReplyTo to) {
                host_.keeper(Call::kRestore).create_from(name, asked.body, std::move(to));
              })};
    return {Scope::kAdmin, Body::kNone, to_host([this, name](const Request&, ReplyTo to) {
              host_.keeper(Call::kSnapshot).snapshot_of(name, std::move(to));
            })};
  }
  if (rest == "/challengers") {
    allow(request, {"GET"});
    return {Scope::kRead, Body::kNone, to_host([this, name](const Request&, ReplyTo to) {
              host_.keeper(Call::kChallengers).challengers(name, std::move(to));
            })};
  }
  if (rest == "/promote") {
    allow(request, {"POST"});
    return {Scope::kAdmin, Body::kJson, to_host([this, name](const Request& asked, ReplyTo to) {
              host_.promote(name, read_promote(asked), std::move(to));
            })};
  }
  constexpr std::string_view kOneOf = "/challengers/";
  if (rest.starts_with(kOneOf)) return challenger_door(request, name, rest.substr(kOneOf.size()));
  throw no_such_address();
}

Routes::Door Routes::challenger_door(const Request& request, const std::string& name,
                                     const std::string& challenger) const {
  using Body = Door::Body;
  if (challenger.empty() || challenger.find('/') != std::string::npos) throw no_such_address();
  allow(request, {"PUT", "DELETE"});
  if (request.method == "DELETE")
    return {Scope::kAdmin, Body::kNone, to_host([this, name, challenger](const Request&, ReplyTo to) {
              host_.dismiss(name, challenger, std::move(to));
            })};
  return {Scope::kAdmin, Body::kJson, to_host([this, name, challenger](const Request& asked, ReplyTo to) {
            host_.challenge(name, challenger, read_body(asked), std::move(to));
          })};
}

}  // namespace tarry::service
