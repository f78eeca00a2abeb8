#include "tarry/service/routes/openapi_challengers.h"

namespace tarry::service {

std::string challenger_schemas() {
  return R"json(
    "Challenger": {"type": "object", "required": ["model", "challenger"], "properties": {
      "model": {"type": "string"}, "challenger": {"type": "string"},
      "spec": {"type": "object", "description": "In full."},
      "removed": {"const": true}, "promoted": {"const": true},
      "former": {"type": "string", "description": "What the model before is called now, as a challenger."}}},
    "ChallengerList": {"type": "object", "required": ["model", "champion", "challengers"], "properties": {
      "model": {"type": "string"},
      "champion": {"type": "string", "description": "What the model that decides is called: original, or the name of the challenger that it was."},
      "challengers": {"type": "array", "items": {"type": "object",
        "required": ["name", "verdict", "rounds", "labels", "from", "left_out", "late", "ahead", "compared", "spec"], "properties": {
          "name": {"type": "string"},
          "verdict": {"enum": ["failed", "too early", "unclear", "better", "worse"]},
          "rounds": {"type": "integer", "description": "Since it was made."}, "labels": {"type": "integer"},
          "from": {"type": "integer", "description": "The first round that counts; 0: none yet."},
          "compared": {"type": "integer", "description": "Rounds whose losses are compared."},
          "left_out": {"type": "integer", "description": "Rounds for which no label came in time."},
          "late": {"type": "integer", "description": "Labels that came after that."},
          "ahead": {"type": "integer", "description": "Labelled rounds that wait for an older one."},
          "champion_loss": {"type": "number"}, "loss": {"type": "number"},
          "difference": {"type": "number", "description": "The mean of loss less champion_loss, each clipped to ± range."},
          "low": {"type": "number", "description": "95 %, at all times at once."}, "high": {"type": "number"},
          "range": {"type": "number"}, "clipped": {"type": "integer"},
          "failure": {"type": "string"}, "spec": {"type": "object"}}}}}},)json";
}

std::string challenger_paths() {
  return R"json(,
  "/v1/models/{name}/challengers": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "get": {"operationId": "challengers", "summary": "How a model's challengers do beside it", "tags": ["challengers"],
      "responses": {"200": {"description": "Each with its losses.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ChallengerList"}}}}, @ERRORS@}}},
  "/v1/models/{name}/challengers/{challenger}": {
    "parameters": [{"$ref": "#/components/parameters/name"}, {"name": "challenger", "in": "path", "required": true,
      "description": "The challenger's name.", "schema": {"type": "string", "pattern": "^[a-z0-9_-]{1,64}$"}}],
    "put": {"operationId": "createChallenger", "summary": "Another model that plays the same rounds, unseen", "tags": ["challengers"],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
        "description": "A specification (with a task or a set), or the keys that are to be different in the model's.",
        "examples": [{"products": false}, {"task": "binary"}]}}}},
      "responses": {
        "201": {"description": "Made: it begins with the next round.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}},
        "200": {"description": "It was there.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}}, @ERRORS@}},
    "delete": {"operationId": "removeChallenger", "summary": "Remove a challenger", "tags": ["challengers"],
      "responses": {"200": {"description": "Removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}}, @ERRORS@}}},
  "/v1/models/{name}/promote": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "post": {"operationId": "promote", "summary": "A challenger and the model change places", "tags": ["challengers"],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["challenger"],
        "additionalProperties": false, "properties": {"challenger": {"type": "string"}}}}}},
      "responses": {"200": {"description": "From now on it decides.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}}, @ERRORS@}}})json";
}

}  // namespace tarry::service
