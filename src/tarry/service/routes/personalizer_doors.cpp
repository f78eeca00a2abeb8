// Personalizer's own addresses, for clients that know no others: a subscription key selects the model.
#include <array>

#include "tarry/service/personalizer/configuration.h"
#include "tarry/service/personalizer/replies.h"
#include "tarry/service/personalizer/requests.h"
#include "tarry/service/routes/bodies.h"
#include "tarry/service/routes/door.h"

namespace tarry::service {
namespace {

using Call = Keeper::Call;

constexpr std::array<std::string_view, 2> kVersions{"v1.0", "v1.1-preview.3"};

// What is behind the version; nothing: it is no address of theirs.
std::optional<std::string> behind_version(const std::string& path) {
  const std::string rest = path.substr(personalizer::kRoot.size());
  for (const std::string_view version : kVersions)
    if (rest.starts_with(version) && rest.size() > version.size() && rest[version.size()] == '/')
      return rest.substr(version.size());
  return std::nullopt;
}

// The id in /events/{id}LAST.
std::optional<std::string_view> event_in(const std::string& rest, std::string_view last) {
  constexpr std::string_view kEvents = "/events/";
  if (!rest.starts_with(kEvents) || !rest.ends_with(last) || rest.size() <= kEvents.size() + last.size())
    return std::nullopt;
  const std::string_view id = std::string_view(rest).substr(kEvents.size(), rest.size() - kEvents.size() - last.size());
  return id.find('/') == std::string_view::npos ? std::optional(id) : std::nullopt;
}

void rank(Host& host, const std::string& model, const Request& request, const Respond& respond) {
  personalizer::Rank asked = personalizer::read_rank(read_body(request));
  personalizer::RankAsked about{request.path, asked.event_id, asked.choosing.exclude};
  DecideRequest decide;
  decide.deferred = asked.deferred;
  Play& play = decide.plays.emplace_back();
  play.key = std::move(asked.event_id);
  play.choosing = std::move(asked.choosing);
  host.decide(model, std::move(decide), personalizer::rank_reply(respond, std::move(about)));
}

void reward(Host& host, const std::string& model, std::string event_id, const Request& request,
            const Respond& respond) {
  FeedbackRequest feedback;
  FeedbackItem& item = feedback.items.emplace_back();
  item.model = model;
  item.event = Label{RoundName(std::move(event_id)), personalizer::read_reward(read_body(request))};
  item.names_no_part = true;
  host.feedback(std::move(feedback), personalizer::reward_reply(respond, request.path));
}

}  // namespace

Routes::Door Routes::personalizer_door(const Request& request) const {
  using Body = Door::Body;
  const auto rest = behind_version(request.path);
  if (!rest) throw no_such_address();
  // `enter` with the model that the key selects.
  const auto door = [this](Scope scope, Body body, auto enter) {
    return Door{scope, body,
                [this, scope, enter](const Request& asked, const Respond& respond) {
                  enter(access_.model_for(asked, scope), asked, respond);
                },
                true};
  };
  if (*rest == "/rank") {
    allow(request, {"POST"});
    return door(Scope::kDecide, Body::kJson, [this](const std::string& model, const Request& asked, const Respond& to) {
      rank(host_, model, asked, to);
    });
  }
  if (const auto id = event_in(*rest, "/reward")) {
    allow(request, {"POST"});
    return door(Scope::kFeedback, Body::kJson,
                [this, id = std::string(*id)](const std::string& model, const Request& asked, const Respond& to) {
                  reward(host_, model, personalizer::read_event_id(id), asked, to);
                });
  }
  if (const auto id = event_in(*rest, "/activate")) {
    allow(request, {"POST"});
    return door(Scope::kFeedback, Body::kNone,
                [this, id = std::string(*id)](const std::string& model, const Request& asked, const Respond& to) {
                  host_.activate(model, personalizer::read_event_id(id), personalizer::reward_reply(to, asked.path));
                });
  }
  if (*rest == "/configurations/service") {
    allow(request, {"GET", "PUT"});
    if (request.method == "GET")
      return door(Scope::kRead, Body::kNone, [this](const std::string& model, const Request& asked, const Respond& to) {
        host_.keeper(Call::kDescribe).describe(model, personalizer::configuration_reply(to, asked.path));
      });
    return door(Scope::kAdmin, Body::kJson, [this](const std::string& model, const Request& asked, const Respond& to) {
      host_.create(model, personalizer::specification_of(read_body(asked)),
                   personalizer::configuration_reply(to, asked.path));
    });
  }
  if (rest->starts_with("/multislot/"))
    return door(Scope::kDecide, Body::kNone, [](const std::string&, const Request&, const Respond&) {
      throw Refusal(400, "unsupported",
                    "there are no slots here: rank one after the other, with the slot as a feature");
    });
  throw Refusal(404, "no_such_address", "this part of Personalizer has no counterpart: see docs/from-personalizer.md");
}

}  // namespace tarry::service
