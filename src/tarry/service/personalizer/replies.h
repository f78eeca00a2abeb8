// What Personalizer's clients are answered: statuses and bodies are theirs.
#pragma once

#include <string>
#include <vector>

#include "tarry/service/host/host.h"
#include "tarry/service/http/errors.h"

namespace tarry::service::personalizer {

inline constexpr std::string_view kRoot = "/personalizer/";

// {"error": {"code": "InvalidRankRequest", "message": "…", "target"?: "eventId"}}. What was asked for, which the
// address says, is part of the code.
Response refused(const std::string& path, const Refusal& refusal);
Response refused(const std::string& path, const hosting::Rejection& rejection);
Response refused(const std::string& path, const Reply& reply);  // anything that is no answer

// 201 with the ranking: the action that was drawn first, then the others, likeliest first; what was excluded keeps the
// place it had in the request.
struct RankAsked {
  std::string path, event_id;
  std::vector<std::string> excluded;
};
ReplyTo rank_reply(Respond respond, RankAsked asked);

// 204, also for a reward that comes too late or after another one: it is dropped, as it was there.
ReplyTo reward_reply(Respond respond, std::string path);

// 200 with the configuration of the model that was described or made.
ReplyTo configuration_reply(Respond respond, std::string path);

}  // namespace tarry::service::personalizer
