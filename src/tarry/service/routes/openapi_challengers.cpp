#include "tarry/service/routes/openapi_challengers.h"

namespace tarry::service {

std::string challenger_schemas() {
  return R"json(
    "Challenger": {"type": "object", "required": ["model", "challenger"], "properties": {
      "model": {"type": "string"}, "challenger": {"type": "string"},
      "spec": {"type": "object", "description": "In full."},
      "removed": {"const": true}, "promoted": {"const": true},
      "former": {"type": "string", "description": "The name of the former model, which is a challenger now."}}},
    "ChallengerList": {"type": "object", "required": ["model", "champion", "challengers"], "properties": {
      "model": {"type": "string"},
      "champion": {"type": "string", "description": "The name of the model that decides: `original`, until another one is promoted."},
      "challengers": {"type": "array", "items": {"type": "object",
        "required": ["name", "verdict", "rounds", "labels", "from", "left_out", "late", "ahead", "compared", "spec"], "properties": {
          "name": {"type": "string"},
          "verdict": {"enum": ["failed", "too early", "unclear", "better", "worse"], "description": "`better` or `worse` only if the interval excludes 0 and the mean losses agree; `failed` has its reason in `failure`."},
          "rounds": {"type": "integer", "description": "Since it was made."}, "labels": {"type": "integer"},
          "from": {"type": "integer", "description": "The first round that counts, once the challenger has learnt from 100 labels; 0: none yet."},
          "compared": {"type": "integer", "description": "Rounds whose losses or rewards are compared."},
          "left_out": {"type": "integer", "description": "Rounds that have waited four times as long, in rounds, as 99 % of the labels took."},
          "late": {"type": "integer", "description": "Labels that came after their round was left out."},
          "ahead": {"type": "integer", "description": "Labelled rounds behind one that is still awaited."},
          "champion_loss": {"type": "number"}, "loss": {"type": "number"},
          "champion_reward": {"type": "number", "description": "Of a model that chooses, in the place of losses."},
          "reward": {"type": "number", "description": "What the challenger would have earned: estimated, doubly robust."},
          "unrewarded": {"type": "integer", "description": "Rounds whose reward never came: the interval takes it as the worst one, at either end."},
          "difference": {"type": "number", "description": "The mean of loss − champion_loss, each clipped to ± range; or reward − champion_reward."},
          "low": {"type": "number", "description": "The lower end of a 95 % interval that holds at all times at once."}, "high": {"type": "number"},
          "range": {"type": "number", "description": "4 for classes and yes/no; for numbers eight times the mean loss of the first 100 rounds, which then do not count."}, "clipped": {"type": "integer", "description": "Rounds whose difference was larger than range."},
          "expected": {"type": "object", "description": "Of the newest decisions, once all their labels have come; absent while no round counts.",
            "required": ["verdict", "decisions", "share", "loss", "gain"], "properties": {
            "verdict": {"enum": ["too early", "unclear", "better", "worse"]},
            "decisions": {"type": "number"}, "share": {"type": "number", "description": "Of their labels that have come."},
            "loss": {"$ref": "#/components/schemas/ExpectedFigure"},
            "gain": {"$ref": "#/components/schemas/ExpectedFigure", "description": "How much more the model loses."}}},
          "failure": {"type": "string"}, "spec": {"type": "object"}}}}}},
    "ExpectedFigure": {"type": "object", "required": ["so_far", "expected", "low", "high"], "properties": {
      "so_far": {"type": ["number", "null"], "description": "Of the labels that have come."},
      "expected": {"type": ["number", "null"]},
      "low": {"type": ["number", "null"], "description": "95 %."}, "high": {"type": ["number", "null"]}}},)json";
}

std::string challenger_paths() {
  return R"json(,
  "/v1/models/{name}/challengers": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "get": {"operationId": "challengers", "summary": "How a model's challengers are doing", "tags": ["challengers"],
      "responses": {"200": {"description": "Each with its losses.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ChallengerList"}}}}, @ERRORS@}}},
  "/v1/models/{name}/challengers/{challenger}": {
    "parameters": [{"$ref": "#/components/parameters/name"}, {"name": "challenger", "in": "path", "required": true,
      "description": "The challenger's name.", "schema": {"type": "string", "pattern": "^[a-z0-9_-]{1,64}$"}}],
    "put": {"operationId": "createChallenger", "summary": "Another model that plays the same rounds, unseen", "tags": ["challengers"],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object",
        "description": "A specification (with a task or a set), or only the keys that differ from the model's.",
        "examples": [{"products": false}, {"task": "binary"}]}}}},
      "responses": {
        "201": {"description": "Created: it starts with the next round.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}},
        "200": {"description": "It exists.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}}, @ERRORS@}},
    "delete": {"operationId": "removeChallenger", "summary": "Remove a challenger", "tags": ["challengers"],
      "responses": {"200": {"description": "Removed.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}}, @ERRORS@}}},
  "/v1/models/{name}/promote": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "post": {"operationId": "promote", "summary": "Swap a challenger and the model", "tags": ["challengers"],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["challenger"],
        "additionalProperties": false, "properties": {"challenger": {"type": "string"}}}}}},
      "responses": {"200": {"description": "From now on it decides.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Challenger"}}}}, @ERRORS@}}})json";
}

}  // namespace tarry::service
