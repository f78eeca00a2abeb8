#include "tarry/service/routes/http_reply.h"

#include <fmt/format.h>

#include <iterator>
#include <new>

#include "tarry/base/overload.h"
#include "tarry/service/host/challengers_json.h"
#include "tarry/service/http/response_text.h"
#include "tarry/service/routes/description_json.h"

namespace tarry::service {
namespace {

using namespace hosting;

// ---- one item of a list, or an answer of its own

void append(std::string& out, const Rejection& rejection) {
  out += "{";
  append_error(out, rejection);
  out += "}";
}

void append_queued(std::string& out, const Queued& queued) {
  fmt::format_to(std::back_inserter(out), "\"status\": \"queued\", \"partition\": {}, \"offset\": {}", queued.partition,
                 queued.offset);
}

void append_explanation(std::string& out, const std::string& explanation) {
  if (!explanation.empty()) out += ", \"explanation\": " + explanation;
}

void append(std::string& out, const Decided& decided) {
  out += "{\"ticket\": \"" + decided.ticket + "\", ";
  std::visit(Overload{[&](const PlayReply& reply) { append_members(out, reply); },
                      [&](const Queued& queued) { append_queued(out, queued); }},
             decided.what);
  append_explanation(out, decided.explanation);
  out += "}";
}

void append(std::string& out, const Predicted& predicted) {
  out += "{";
  append_members(out, predicted.shown);
  append_explanation(out, predicted.explanation);
  out += "}";
}

void append(std::string& out, const Accepted& accepted) {
  fmt::format_to(std::back_inserter(out), "{{\"status\": \"accepted\", \"round\": {}{}}}", accepted.round,
                 accepted.duplicate   ? ", \"duplicate\": true"
                 : accepted.untracked ? ", \"untracked\": true"
                                      : "");
}

void append(std::string& out, const Queued& queued) {
  out += "{";
  append_queued(out, queued);
  out += "}";
}

RefusedItem refused_item(const Rejection& rejection) {
  return {status_of(rejection.kind()), rejection.code(), rejection.what(), rejection.model()};
}

// The items between what a list begins and ends with; one alone is answered with its own status.
template <class Items>
Response many(const Items& reply, const char* begin, const char* end) {
  const int well = reply.async ? 202 : 200;
  Response response{.status = well};
  if (reply.list) response.body = begin;
  for (std::size_t i = 0; i < reply.items.size(); ++i) {
    if (i > 0) response.body += ", ";
    std::visit([&](const auto& item) { append(response.body, item); }, reply.items[i]);
    const auto* rejection = std::get_if<Rejection>(&reply.items[i]);
    if (rejection == nullptr) continue;
    response.refused.push_back(refused_item(*rejection));
    if (reply.list) continue;
    response.status = status_of(rejection->kind());
    if (rejection->kind() == Rejection::kBusy) response.headers.emplace_back("Retry-After", "1");
  }
  if (reply.list) response.body += end;
  if (reply.async) response.headers.emplace_back("Preference-Applied", "respond-async");
  return response;
}

// ---- of models

Response created(const Created& reply) {
  return {.status = reply.before ? 200 : 201,
          .body = fmt::format("{{\"name\": \"{}\", \"incarnation\": {}, \"spec\": {}}}", reply.name, reply.incarnation,
                              reply.spec)};
}

Response listed(const ModelList& reply) {
  Response response{.body = "{\"models\": ["};
  const char* comma = "";
  for (const ModelList::One& one : reply.models) {
    fmt::format_to(std::back_inserter(response.body),
                   "{}{{\"name\": \"{}\", \"incarnation\": {}, \"position\": {}, \"rounds\": {}, \"outstanding\": {}}}",
                   comma, one.name, one.incarnation, one.position, one.rounds, one.outstanding);
    comma = ", ";
  }
  response.body += "]}";
  return response;
}

Response snapshot(SnapshotBytes reply) {
  Response response{.body = std::move(reply.bytes), .content_type = "application/octet-stream"};
  response.headers.emplace_back("X-Tarry-Position", std::to_string(reply.position));
  return response;
}

}  // namespace

Response response_of(const Rejection& rejection) {
  Response response{.status = status_of(rejection.kind())};
  append(response.body, rejection);
  response.refused.push_back(refused_item(rejection));
  if (rejection.kind() == Rejection::kBusy) response.headers.emplace_back("Retry-After", "1");
  return response;
}

Response response_of(Reply reply) {
  return std::visit(
      Overload{[](const OutOfMemory&) { return out_of_memory_response(); },
               [](const Rejection& rejection) { return response_of(rejection); },
               [](const Created& told) { return created(told); },
               [](const Deleted& told) {
                 return Response{.body = fmt::format("{{\"name\": \"{}\", \"deleted\": true}}", told.name)};
               },
               [](const ModelList& told) { return listed(told); },
               [](const Description& told) { return Response{.body = description_json(told)}; },
               [](SnapshotBytes& told) { return snapshot(std::move(told)); },
               [](ModelPage& told) { return Response{.body = std::move(told.json)}; },
               [](const ChallengerChanged& told) {
                 return Response{.status = told.what == ChallengerChanged::kMade ? 201 : 200,
                                 .body = challenger_json(told)};
               },
               [](const ChallengerList& told) { return Response{.body = challengers_json(told)}; },
               [](const Decisions& told) { return many(told, "{\"results\": [", "]}"); },
               [](const Predictions& told) { return many(told, "{\"results\": [", "]}"); },
               [](const FeedbackReplies& told) { return many(told, "[", "]"); }},
      reply);
}

ReplyTo reply_over(Respond respond) {
  return [respond = std::move(respond)](Reply reply) -> Send {
    Response response = [&] {
      try {
        return response_of(std::move(reply));
      } catch (const std::bad_alloc&) {
      } catch (const std::length_error&) {
      }
      return out_of_memory_response();
    }();
    return [respond, response = std::move(response)]() mutable { respond(std::move(response)); };
  };
}

}  // namespace tarry::service
