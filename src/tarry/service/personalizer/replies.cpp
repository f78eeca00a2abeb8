#include "tarry/service/personalizer/replies.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/overload.h"
#include "tarry/model/reply.h"
#include "tarry/service/http/response_text.h"
#include "tarry/service/personalizer/configuration.h"
#include "tarry/spec/value.h"

namespace tarry::service::personalizer {
namespace {

using namespace hosting;

std::string code_of(const std::string& path, int status) {
  switch (status) {
    case 401:
      return "401";
    case 403:
    case 405:
      return "OperationNotAllowed";
    case 404:
      return "ResourceNotFound";
    case 413:
      return "PayloadSizeExceeded";
    default:
      break;
  }
  if (status >= 500) return "InternalServerError";
  if (path.find("/multislot/") != std::string::npos) return "InvalidMultiSlotApiAccess";
  if (path.ends_with("/rank")) return "InvalidRankRequest";
  if (path.ends_with("/reward")) return "InvalidRewardRequest";
  if (path.ends_with("/activate")) return "InvalidEventIdToActivate";
  if (path.ends_with("/configurations/service")) return "InvalidServiceConfiguration";
  return "BadRequest";
}

// What was well formed and impossible is a bad request there.
int status_there(int status) { return status == 422 ? 400 : status; }

struct Why {
  int status;
  std::string code, message, key, model;  // as the service's own addresses tell it
};

Response error(const std::string& path, const Why& why) {
  const int status = status_there(why.status);
  spec::Object inside{{"code", {code_of(path, status)}}, {"message", {why.message}}};
  if (!why.key.empty()) inside.emplace_back("target", spec::Value{why.key});
  Response response{.status = status, .body = spec::to_json({spec::Object{{"error", {std::move(inside)}}}})};
  response.refused.push_back({status, why.code, why.message, why.model});
  if (status == 503) response.headers.emplace_back("Retry-After", "1");
  return response;
}

// The reply made into a response, with what fits where there is no memory for it.
ReplyTo over(Respond respond, std::function<Response(Reply)> make) {
  return [respond = std::move(respond), make = std::move(make)](Reply reply) -> Send {
    Response response = [&] {
      try {
        return make(std::move(reply));
      } catch (const std::bad_alloc&) {
      } catch (const std::length_error&) {
      }
      return out_of_memory_response();
    }();
    return [respond, response = std::move(response)]() mutable { respond(std::move(response)); };
  };
}

std::vector<RankedAction> in_their_order(const Choice& choice, const RankAsked& asked) {
  std::vector<RankedAction> free, all = choice.ranking;
  if (all.empty()) return {{choice.action, choice.probability, 0}};  // asked again, after the ranking was forgotten
  const auto is_excluded = [&](const RankedAction& action) {
    return std::find(asked.excluded.begin(), asked.excluded.end(), action.id) != asked.excluded.end();
  };
  std::copy_if(all.begin(), all.end(), std::back_inserter(free), [&](const auto& each) { return !is_excluded(each); });
  std::stable_sort(free.begin(), free.end(), [&](const RankedAction& a, const RankedAction& b) {
    const bool first = a.id == choice.action, second = b.id == choice.action;
    return first != second ? first : a.probability > b.probability;
  });
  auto next = free.begin();
  for (RankedAction& each : all)
    if (!is_excluded(each)) each = *next++;
  return all;
}

Response ranked(const Choice& choice, const RankAsked& asked) {
  Response response{.status = 201, .body = "{\"ranking\": ["};
  const char* comma = "";
  for (const RankedAction& each : in_their_order(choice, asked)) {
    response.body += comma;
    response.body += "{\"id\": ";
    spec::append_json(response.body, each.id);
    response.body += ", \"probability\": ";
    spec::append_json(response.body, each.probability);
    response.body += "}";
    comma = ", ";
  }
  response.body += "], \"eventId\": ";
  spec::append_json(response.body, asked.event_id);
  response.body += ", \"rewardActionId\": ";
  spec::append_json(response.body, choice.action);
  response.body += "}";
  return response;
}

}  // namespace

Response refused(const std::string& path, const Refusal& refusal) {
  return error(path, {refusal.status(), refusal.code(), refusal.what(), refusal.key(), {}});
}

Response refused(const std::string& path, const Rejection& rejection) {
  return error(path,
               {status_of(rejection.kind()), rejection.code(), rejection.what(), rejection.key(), rejection.model()});
}

Response refused(const std::string& path, const Reply& reply) {
  if (const auto* rejection = std::get_if<Rejection>(&reply)) return refused(path, *rejection);
  return out_of_memory_response();
}

ReplyTo rank_reply(Respond respond, RankAsked asked) {
  return over(std::move(respond), [asked = std::move(asked)](const Reply& reply) {
    const auto* made = std::get_if<Decisions>(&reply);
    if (made == nullptr || made->items.empty()) return refused(asked.path, reply);
    if (const auto* rejection = std::get_if<Rejection>(&made->items[0])) return refused(asked.path, *rejection);
    const auto& decided = std::get<Decided>(made->items[0]);
    const auto* play = std::get_if<PlayReply>(&decided.what);
    return play != nullptr && play->choice ? ranked(*play->choice, asked) : out_of_memory_response();
  });
}

ReplyTo reward_reply(Respond respond, std::string path) {
  return over(std::move(respond), [path = std::move(path)](const Reply& reply) {
    const auto* told = std::get_if<FeedbackReplies>(&reply);
    const auto* rejection = std::get_if<Rejection>(&reply);
    if (told != nullptr && !told->items.empty()) rejection = std::get_if<Rejection>(&told->items[0]);
    if (told == nullptr && rejection == nullptr) return refused(path, reply);
    const bool dropped =
        rejection != nullptr && (rejection->kind() == Rejection::kGone || rejection->kind() == Rejection::kConflict);
    return rejection == nullptr || dropped ? Response{.status = 204} : refused(path, *rejection);
  });
}

ReplyTo configuration_reply(Respond respond, std::string path) {
  return over(std::move(respond), [path = std::move(path)](const Reply& reply) {
    if (const auto* about = std::get_if<Description>(&reply)) return Response{.body = configuration_of(about->spec)};
    if (const auto* made = std::get_if<Created>(&reply)) return Response{.body = configuration_of(made->spec)};
    if (const auto* no = std::get_if<Rejection>(&reply); no != nullptr && no->kind() == Rejection::kConflict)
      return refused(path, Rejection(Rejection::kConflict, no->code(),
                                     std::string("nothing of a model's configuration can change once it is made: make "
                                                 "another model and a key that selects it (") +
                                         no->what() + ")"));
    return refused(path, reply);
  });
}

}  // namespace tarry::service::personalizer
