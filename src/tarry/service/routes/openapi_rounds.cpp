#include "tarry/service/routes/openapi_rounds.h"

namespace tarry::service {

std::string round_schemas() {
  return R"json(
    "Round": {"type": "object", "required": ["model", "round", "state", "feedback", "unknown"], "properties": {
      "model": {"type": "string"}, "round": {"type": "integer"}, "key": {"type": "string"},
      "state": {"enum": ["waiting", "deferred", "answered", "expired", "void"]},
      "played": {"type": "number", "description": "Seconds since 1970."},
      "waits": {"type": "number", "description": "Seconds that it has waited so far."},
      "features": {"description": "As they came."}, "context": {"type": "object"}, "actions": {"type": "array", "items": {"type": "string"}},
      "prediction": {"description": "As it was answered."}, "scores": {"type": "object"},
      "action": {"type": "string"}, "probability": {"type": "number"},
      "feedback": {"type": "array", "items": {"type": "object", "required": ["at"], "properties": {
        "at": {"type": "number"}, "after": {"type": "number", "description": "Seconds after the decision."}, "label": {}, "revise": {"const": true},
        "expired": {"const": true}, "void": {"const": true}, "gradient": {"const": true}, "loss": {"type": "number"}}}},
      "now": {"type": "object", "description": "What the model says now about the same features.", "required": ["prediction", "explanation"],
        "properties": {"prediction": {}, "scores": {"type": "object"}, "explanation": {"$ref": "#/components/schemas/Explanation"}}},
      "unknown": {"type": "array", "items": {"type": "string"}, "description": "What is no longer known, and why."}}},
    "RoundsBehindAlarm": {"type": "object", "required": ["model", "alarm", "kind", "column", "text", "since", "until", "rounds"], "properties": {
      "model": {"type": "string"}, "alarm": {"type": "integer"}, "kind": {"type": "string"}, "column": {"type": "string"}, "text": {"type": "string"},
      "since": {"type": "number"}, "until": {"type": "number"},
      "rounds": {"type": "array", "items": {"type": "object", "required": ["round", "state"], "properties": {
        "round": {"type": "integer"}, "state": {"type": "string"}, "key": {"type": "string"}, "played": {"type": "number"},
        "prediction": {}, "value": {"description": "The feature's value, the label, or the wait in seconds."}}}}}},)json";
}

std::string round_paths() {
  return R"json(,
  "/v1/models/{name}/rounds": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "get": {"operationId": "findRounds", "summary": "One round, or those behind an alarm", "tags": ["models"],
      "description": "Give exactly one of the parameters. Features and labels are read from the log, at most a million entries from near the decision on. Predictions are kept while a round waits, then for the last million keys and idempotency keys, and since the start for the last 4,096 closed rounds.",
      "parameters": [
        {"name": "key", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The decision's key."},
        {"name": "ticket", "in": "query", "required": false, "schema": {"type": "string"}},
        {"name": "round", "in": "query", "required": false, "schema": {"type": "integer", "minimum": 1}},
        {"name": "alarm", "in": "query", "required": false, "schema": {"type": "integer", "minimum": 1}, "description": "An alarm's number in `drift` of the model's view; gives up to 24 rounds behind it."}],
      "responses": {"200": {"description": "The round, or the rounds.", "content": {"application/json": {"schema": {"oneOf": [
        {"$ref": "#/components/schemas/Round"}, {"$ref": "#/components/schemas/RoundsBehindAlarm"}]}}}}, @ERRORS@}}})json";
}

}  // namespace tarry::service
