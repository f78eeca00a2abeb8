#include "tarry/service/routes/openapi_personalizer.h"

#include <string_view>

namespace tarry::service {
namespace {

const char* const kTheirSchemas = R"json(
    "PersonalizerError": {"type": "object", "required": ["error"], "properties": {
      "error": {"type": "object", "required": ["code", "message"], "properties": {
        "code": {"type": "string", "examples": ["InvalidRankRequest"]}, "message": {"type": "string"}, "target": {"type": "string"}}}}},
    "PersonalizerId": {"type": "string", "minLength": 1, "maxLength": 64},
    "PersonalizerFeatures": {"type": "array", "maxItems": 100, "items": {"type": "object"}},
    "RankRequest": {"type": "object", "required": ["actions"], "properties": {
      "contextFeatures": {"$ref": "#/components/schemas/PersonalizerFeatures"},
      "actions": {"type": "array", "minItems": 1, "maxItems": 1000, "items": {"type": "object", "required": ["id"], "properties": {
        "id": {"$ref": "#/components/schemas/PersonalizerId"}, "features": {"$ref": "#/components/schemas/PersonalizerFeatures"}}}},
      "excludedActions": {"type": "array", "items": {"type": "string"}},
      "eventId": {"$ref": "#/components/schemas/PersonalizerId"},
      "deferActivation": {"type": "boolean", "description": "Nothing is learnt of it until it is activated."}}},
    "RankResponse": {"type": "object", "required": ["ranking", "eventId", "rewardActionId"], "properties": {
      "ranking": {"type": "array", "description": "What was drawn first, then the others; what is excluded keeps its place.",
        "items": {"type": "object", "required": ["id", "probability"], "properties": {
          "id": {"type": "string"}, "probability": {"type": "number", "minimum": 0, "maximum": 1}}}},
      "eventId": {"type": "string"}, "rewardActionId": {"type": "string"}}},
    "ServiceConfiguration": {"type": "object", "required": ["rewardWaitTime", "defaultReward"], "properties": {
      "rewardWaitTime": {"type": "string", "description": "As PT10M.", "pattern": "^PT[1-9][0-9]{0,6}[HMS]$"},
      "defaultReward": {"$ref": "#/components/schemas/Number"},
      "rewardAggregation": {"enum": ["earliest", "sum"]},
      "explorationPercentage": {"type": "number", "minimum": 0, "maximum": 1}}},
)json";

const char* const kTheirPaths = R"json(,
  "/personalizer/@V@/rank": {"post": {"operationId": "rank-@V@", "summary": "Choose one of several actions", "tags": ["Personalizer"], "security": [],
    "parameters": [@KEY@],
    "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RankRequest"}}}},
    "responses": {"201": {"description": "Durable.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/RankResponse"}}}}, @THEIRS@}}},
  "/personalizer/@V@/events/{eventId}/reward": {"post": {"operationId": "reward-@V@", "summary": "What the action earned", "tags": ["Personalizer"], "security": [],
    "parameters": [@KEY@, @EVENT@],
    "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["value"],
      "properties": {"value": {"$ref": "#/components/schemas/Number"}}}}}},
    "responses": {"204": {"description": "Durable, or dropped: it came too late, or after another one."}, @THEIRS@}}},
  "/personalizer/@V@/events/{eventId}/activate": {"post": {"operationId": "activate-@V@", "summary": "What was deferred was shown", "tags": ["Personalizer"], "security": [],
    "parameters": [@KEY@, @EVENT@],
    "responses": {"204": {"description": "Durable."}, @THEIRS@}}},
  "/personalizer/@V@/configurations/service": {
    "get": {"operationId": "configuration-@V@", "summary": "How long is waited, and what then", "tags": ["Personalizer"], "security": [],
      "parameters": [@KEY@],
      "responses": {"200": {"description": "The configuration.", "content": {"application/json": {"schema": {"type": "object"}}}}, @THEIRS@}},
    "put": {"operationId": "configure-@V@", "summary": "Make the model", "tags": ["Personalizer"], "security": [],
      "description": "Of a model that is there, another configuration is 409.",
      "parameters": [@KEY@],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ServiceConfiguration"}}}},
      "responses": {"200": {"description": "It is there.", "content": {"application/json": {"schema": {"type": "object"}}}}, @THEIRS@}}})json";

constexpr std::string_view kKeyParameter =
    R"json({"name": "Ocp-Apim-Subscription-Key", "in": "header", "required": true, "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"},
      "description": "Made by `tarry token add NAME --model MODEL`: it selects the model. Where the service was started with --without-tokens, the model's name."})json";
constexpr std::string_view kEventParameter =
    R"json({"name": "eventId", "in": "path", "required": true, "schema": {"$ref": "#/components/schemas/PersonalizerId"}})json";

void replace_all(std::string& text, std::string_view mark, std::string_view with) {
  for (auto at = text.find(mark); at != std::string::npos; at = text.find(mark, at + with.size()))
    text.replace(at, mark.size(), with);
}

std::string their_errors() {
  std::string all;
  for (const char* status :
       {"400", "401", "403", "404", "405", "409", "413", "415", "431", "500", "501", "503", "504", "507"})
    all +=
        std::string(all.empty() ? "" : ", ") + "\"" + status +
        R"json(": {"description": "Refused.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/PersonalizerError"}}}})json";
  return all;
}

}  // namespace

std::string personalizer_schemas() { return kTheirSchemas; }

std::string personalizer_paths() {
  std::string all;
  for (const std::string_view version : {"v1.0", "v1.1-preview.3"}) {
    std::string paths = kTheirPaths;
    replace_all(paths, "@KEY@", kKeyParameter);
    replace_all(paths, "@EVENT@", kEventParameter);
    replace_all(paths, "@THEIRS@", their_errors());
    replace_all(paths, "@V@", version);
    all += paths;
  }
  return all;
}

}  // namespace tarry::service
