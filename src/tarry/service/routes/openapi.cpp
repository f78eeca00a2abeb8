#include "tarry/service/routes/openapi.h"

#include <fmt/format.h>

#include "tarry/base/version.h"
#include "tarry/service/routes/openapi_challengers.h"
#include "tarry/service/routes/openapi_personalizer.h"
#include "tarry/service/routes/openapi_quality.h"
#include "tarry/service/routes/openapi_rounds.h"

namespace tarry::service {
namespace {

// Parts that many places name.
const char* const kComponents = R"json({
  "securitySchemes": {"token": {"type": "http", "scheme": "bearer",
    "description": "Made by `tarry token add`. None is asked where the service was started with --without-tokens."}},
  "parameters": {
    "name": {"name": "name", "in": "path", "required": true, "description": "The model's name.",
      "schema": {"type": "string", "pattern": "^[a-z0-9_-]{1,64}$"}},
    "idempotencyKey": {"name": "Idempotency-Key", "in": "header", "required": false,
      "description": "Requests with one key are one request: sent again it is answered as the first time.",
      "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"}},
    "explain": {"name": "explain", "in": "query", "required": false, "description": "1: also say what each feature adds to the prediction.",
      "schema": {"enum": ["0", "1", "true", "false"]}},
    "prefer": {"name": "Prefer", "in": "header", "required": false,
      "description": "respond-async: a gateway to Kafka answers 202 once Kafka has it, and does not wait for what becomes of it. Others answer as always.",
      "schema": {"type": "string", "pattern": "^[!-~]{1,255}$"}}
  },
  "schemas": {
    "Error": {"type": "object", "required": ["error"], "additionalProperties": false, "properties": {
      "error": {"type": "object", "required": ["status", "code", "message"], "additionalProperties": false, "properties": {
        "status": {"type": "integer", "description": "The HTTP status of this error alone."},
        "code": {"type": "string", "description": "For programs: x-codes has them all.", "examples": ["conflict"], "x-codes": {
          "bad_json": "400: the body is not JSON",
          "bad_input": "400: malformed; 422: well formed, but impossible (a wrong size, a number beyond 1e100, an unknown class)",
          "bad_spec": "400: a specification with a wrong, missing or unknown key",
          "bad_name": "400: not a name for a model",
          "bad_query": "400: a wrong key in the address",
          "bad_snapshot": "400: not a whole snapshot",
          "bad_request": "400: not HTTP, or HTTP that two servers could read differently",
          "names_a_file": "400: a specification may not name files",
          "unauthorized": "401: no valid token",
          "forbidden": "403: the token lacks the scope, or selects no model",
          "forged": "403: not a ticket of this service",
          "no_such_address": "404: see paths",
          "no_such_model": "404",
          "no_such_challenger": "404",
          "unknown_key": "404: no decision was made under this key, or it is too old",
          "unknown_ticket": "404: no round of this model has this ticket",
          "unknown_round": "404: the model has no such round",
          "unknown_alarm": "404: there is no such alarm, or no longer",
          "method_not_allowed": "405",
          "conflict": "409: a label, a key's features or a specification differs from what came before",
          "in_flight": "409: a request with this Idempotency-Key is being answered: try again",
          "expired": "410: the round was given up",
          "too_large": "413 or 431: over a limit",
          "too_many_models": "413: over --max-models",
          "too_many_outstanding": "413: over --max-outstanding",
          "unsupported_media_type": "415: Content-Type must be application/json, or text/csv for a table",
          "unsupported": "422 (400 in a configuration of Personalizer): well formed, but this model cannot do it",
          "idempotency_key_reused": "422: another request had this Idempotency-Key",
          "open_questions": "422: the table leaves something open; questions says what",
          "unreadable_table": "422: a table that cannot be read",
          "lost": "500: the ticket is genuine, but its model was deleted, or the store was restored",
          "corrupt": "500: a file of the service is damaged",
          "io": "500: the service cannot read or write its files: its log says why",
          "internal": "500: a bug",
          "not_at_a_gateway": "501: a gateway to Kafka cannot do it",
          "not_ready": "503: wait as long as Retry-After says",
          "overloaded": "503: wait as long as Retry-After says",
          "not_taken": "503: Kafka refused the event: send the same again",
          "not_acknowledged": "504: Kafka did not acknowledge the event in time: send the same again",
          "no_outcome": "504: no outcome came in time: send the same again",
          "full": "507: the disk is full, or too many files are open: nothing was changed",
          "memory": "507: over --max-memory: labels and predictions still work",
          "out_of_memory": "507: the system has no more memory: labels and predictions still work"}},
        "message": {"type": "string", "description": "For people."},
        "key": {"type": "string", "description": "The key or header that was wrong, where there is one."}}}}},
    "Number": {"type": "number", "minimum": -1e100, "maximum": 1e100},
    "Numbers": {"type": "array", "items": {"$ref": "#/components/schemas/Number"}},
    "Sparse": {"type": "object", "required": ["indices", "values"], "additionalProperties": false, "properties": {
      "indices": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1099511627775}},
      "values": {"$ref": "#/components/schemas/Numbers"}}},
    "NamedFeatures": {"type": "object", "description": "Values under names; null is missing.",
      "propertyNames": {"minLength": 1, "maxLength": 256},
      "additionalProperties": {"anyOf": [{"$ref": "#/components/schemas/Number"}, {"type": "boolean"},
        {"type": "string", "maxLength": 1024}, {"type": "null"},
        {"type": "array", "items": {"type": "string", "maxLength": 1024}}]}},
    "Features": {"description": "By name, in full, or by index: as the model takes them.",
      "anyOf": [{"$ref": "#/components/schemas/NamedFeatures"}, {"$ref": "#/components/schemas/Numbers"},
                {"$ref": "#/components/schemas/Sparse"}]},
    "Key": {"type": "string", "minLength": 1, "maxLength": 256, "description": "The caller's own name for the round."},
    "ModelSpec": {"type": "object", "description": "A task, or a set and a learner: docs/model.md, `tarry tasks`, `tarry sets`, `tarry learners`.",
      "examples": [{"task": "binary"}, {"set": {"type": "simplex", "dimension": 3}, "learner": {"type": "auto"}}]},
    "Model": {"type": "object", "required": ["name", "incarnation", "spec"], "properties": {
      "name": {"type": "string"},
      "incarnation": {"type": "integer", "description": "The log position of the model's creation; another model of this name has another one."},
      "spec": {"type": "object", "description": "In full."}}},
    "TableModel": {"allOf": [{"$ref": "#/components/schemas/Model"}, {"type": "object", "required": ["rows", "labels", "loss", "metrics", "reading"], "properties": {
      "rows": {"type": "integer"}, "labels": {"type": "integer", "description": "How many ever became known."},
      "loss": {"type": ["number", "null"], "description": "Their mean loss; each row was predicted before its label was known."},
      "metrics": {"type": "object"}, "reading": {"type": "object", "description": "As `tarry read --json` prints it."}}}]},
    "ModelState": {"allOf": [{"$ref": "#/components/schemas/Model"}, {"type": "object",
      "required": ["position", "hash", "rounds", "outstanding", "settled", "expired", "voided", "oldest", "updates", "delays", "maturity", "certificate", "weights"],
      "properties": {
        "position": {"type": "integer", "description": "The last entry of the log that is in this state."},
        "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$", "description": "SHA-256 of specification and state: what `tarry replay --hash` gives for the same events."},
        "rounds": {"type": "integer", "description": "Decisions made: settled + outstanding + expired + voided, and `before` where there is one."},
        "outstanding": {"type": "integer"}, "settled": {"type": "integer"}, "expired": {"type": "integer"}, "voided": {"type": "integer"},
        "untracked": {"type": "integer"}, "updates": {"type": "integer", "description": "Answers learnt from."}, "events": {"type": "integer"},
        "oldest": {"description": "The round that has waited longest; null: none waits.", "anyOf": [{"type": "null"},
          {"type": "object", "required": ["round", "seconds"], "properties": {"round": {"type": "integer"}, "seconds": {"type": "number"}}}]},
        "delays": {"type": "object", "description": "In rounds: how many were answered, mean, largest, the most that waited at once, and a histogram by powers of two."},
        "maturity": {"type": "array", "description": "The share of rounds answered within so many rounds.", "items": {"type": "object"}},
        "certificate": {"type": ["number", "null"], "description": "What the regret cannot have exceeded (for learners that draw: its mean), if the learner's theory gives a bound."},
        "compared": {"type": "object", "description": "For a model that chooses: how many `rounds` are over, what they `earned` each, and what choosing uniformly (`uniform`) and each action alone (`always`) would have earned. `exploration`: the predicted reward that exploring gives up.",
          "required": ["rounds"]},
        "apprentice": {"type": "object", "description": "For a model that chooses, if something else was `shown`: in how many of these rounds it `agreed`; of the rounds that could be `judged`, what they earned `as_shown`, and what the model would have earned by `ips`, `snips` and `dr`.",
          "required": ["shown", "agreed", "judged", "as_shown", "ips", "snips", "dr"]},
        "champion": {"type": "string", "description": "Only if there are or were challengers: what this model is called among them."},
        "before": {"type": "integer", "description": "With champion: rounds that were decided before this model was made."},
        "new_names": {"type": "array", "description": "Features that are new since the service started and after the model's first 100 rounds, at most 20: the `round` that each came with first, in how many `rounds` it has come since, and `like`, a known name that is nearly the same. A model of more than 10,000 names is not watched.",
          "items": {"type": "object", "required": ["name", "round", "seconds_ago", "rounds", "like"]}},
        "weights": {"type": "array", "description": "The largest by name, at most 50.", "items": {"type": "object", "required": ["name", "weight"]}}}}]},
    "ModelList": {"type": "object", "required": ["models"], "properties": {"models": {"type": "array", "items": {"type": "object",
      "required": ["name", "incarnation", "position", "rounds", "outstanding"]}}}},
    "DecisionRequest": {"type": "object", "additionalProperties": false, "properties": {
      "features": {"$ref": "#/components/schemas/Features"}, "key": {"$ref": "#/components/schemas/Key"},
      "due": {"$ref": "#/components/schemas/Number", "description": "When the answer is due: seconds since 1970."}}},
    "Decision": {"type": "object", "required": ["ticket", "round"], "properties": {
      "ticket": {"type": "string", "description": "Send it with the feedback."},
      "round": {"type": "integer"},
      "prediction": {"description": "If there were features: a number, or the likeliest class.", "type": ["number", "string", "boolean", "null"]},
      "scores": {"type": "object", "description": "The probability of each class."},
      "decision": {"type": "array", "items": {"type": "number"}},
      "allocation": {"type": "object"}, "sample": {"type": "object"}, "probe": {"type": "array", "items": {"type": "number"}},
      "answer": {"const": "duplicate", "description": "This key had a decision already: this is the same one."}}},
    "ActionId": {"type": "string", "minLength": 1, "maxLength": 1024},
    "ChoiceRequest": {"type": "object", "additionalProperties": false, "properties": {
      "context": {"type": "object"},
      "actions": {"type": "array", "minItems": 1, "maxItems": 1000, "description": "By default, those of the specification.",
        "items": {"anyOf": [{"$ref": "#/components/schemas/ActionId"}, {"type": "object", "required": ["id"], "additionalProperties": false,
          "properties": {"id": {"$ref": "#/components/schemas/ActionId"}, "features": {"type": "object"}}}]}},
      "exclude": {"type": "array", "items": {"$ref": "#/components/schemas/ActionId"}},
      "shown": {"description": "What was shown instead: the round is learnt as this action's.", "anyOf": [{"$ref": "#/components/schemas/ActionId"},
        {"type": "object", "required": ["id"], "additionalProperties": false, "properties": {
          "id": {"$ref": "#/components/schemas/ActionId"}, "probability": {"type": "number", "exclusiveMinimum": 0, "maximum": 1}}}]},
      "key": {"$ref": "#/components/schemas/Key"},
      "due": {"$ref": "#/components/schemas/Number", "description": "When the reward is due: seconds since 1970."}}},
    "Choice": {"type": "object", "required": ["ticket", "round", "action", "probability"], "properties": {
      "ticket": {"type": "string", "description": "Send it with the reward."},
      "round": {"type": "integer"}, "action": {"type": "string"}, "probability": {"type": "number"}, "shown": {"type": "string"},
      "ranking": {"type": "array", "description": "In the order of the actions; a choice that is asked for again much later has none.", "items": {"type": "object",
        "required": ["id", "probability", "reward"]}},
      "answer": {"const": "duplicate", "description": "This key had a choice already: this is the same one."}}},
    "Prediction": {"type": "object", "required": ["prediction"], "properties": {
      "prediction": {"type": ["number", "string", "boolean", "null"]}, "scores": {"type": "object"},
      "explanation": {"$ref": "#/components/schemas/Explanation"}}},
    "Explanation": {"type": "object", "required": ["score_is", "outputs"], "description": "With explain=1: what each feature adds to the score. base, parts and rest add up to it. With several classes, one output for each.", "properties": {
      "score_is": {"enum": ["number", "log-odds", "margin", "score"]},
      "outputs": {"type": "array", "items": {"type": "object", "required": ["base", "score", "parts"], "properties": {
        "class": {"type": "string"}, "probability": {"type": "number"}, "base": {"type": "number"}, "score": {"type": "number"},
        "parts": {"type": "array", "items": {"type": "object", "required": ["name", "adds"], "properties": {"name": {"type": "string"}, "adds": {"type": "number"}}}},
        "rest": {"type": "number", "description": "What smaller parts add together."}}}}}},
    "PredictRequest": {"type": "object", "required": ["features"], "additionalProperties": false,
      "properties": {"features": {"$ref": "#/components/schemas/Features"}}},
    "FeedbackItem": {"type": "object", "additionalProperties": false, "description": "A round, by ticket or by model and key; and what became of it.",
      "properties": {
        "ticket": {"type": "string"}, "model": {"type": "string"}, "key": {"$ref": "#/components/schemas/Key"},
        "label": {"anyOf": [{"$ref": "#/components/schemas/Number"}, {"type": "boolean"}, {"type": "string", "maxLength": 1024}]},
        "reward": {"description": "The label of a choice: either of the two names.", "anyOf": [{"$ref": "#/components/schemas/Number"}, {"type": "boolean"}, {"type": "string", "maxLength": 1024}]},
        "features": {"$ref": "#/components/schemas/Features"},
        "gradient": {"$ref": "#/components/schemas/Features"},
        "loss": {"description": "What the decision cost, for learners to whom that is enough; with a probe, what both cost.", "oneOf": [{"$ref": "#/components/schemas/Number"}, {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}]},
        "indices": {"type": "array", "items": {"type": "integer", "minimum": 0, "maximum": 1099511627775}},
        "values": {"$ref": "#/components/schemas/Numbers"},
        "revise": {"type": "boolean", "description": "The label takes the place of the one before."},
        "sequence": {"$ref": "#/components/schemas/Number"}, "time": {"$ref": "#/components/schemas/Number"},
        "part": {"$ref": "#/components/schemas/Key"},
        "shown": {"description": "With the reward of a choice: what was shown instead, and is learnt from.", "anyOf": [{"$ref": "#/components/schemas/ActionId"},
          {"type": "object", "required": ["id"], "additionalProperties": false, "properties": {
            "id": {"$ref": "#/components/schemas/ActionId"}, "probability": {"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "features": {"type": "object"}}}]},
        "void": {"const": true}},
      "dependentSchemas": {"shown": {"anyOf": [{"required": ["label"]}, {"required": ["reward"]}]}, "revise": {"anyOf": [{"required": ["label"]}, {"required": ["reward"]}]}, "sequence": {"anyOf": [{"required": ["label"]}, {"required": ["reward"]}]}, "time": {"anyOf": [{"required": ["label"]}, {"required": ["reward"]}]}, "part": {"anyOf": [{"required": ["label"]}, {"required": ["reward"]}]}},
      "not": {"required": ["sequence", "time"]},
      "allOf": [
        {"oneOf": [{"required": ["ticket"], "not": {"anyOf": [{"required": ["model"]}, {"required": ["key"]}]}},
                   {"required": ["model", "key"], "not": {"required": ["ticket"]}}]},
        {"oneOf": [{"required": ["label"]}, {"required": ["reward"]}, {"required": ["gradient"]}, {"required": ["indices", "values"]}, {"required": ["loss"]}, {"required": ["void"]}]}]},
    "FeedbackAnswer": {"type": "object", "required": ["status", "round"], "additionalProperties": false, "properties": {
      "status": {"const": "accepted"}, "round": {"type": "integer"}, "duplicate": {"const": true}, "untracked": {"const": true}}},
    "Status": {"type": "object", "required": ["status"], "properties": {"status": {"type": "string"}}}
  },
  "responses": {
    "Queued": {"description": "From a gateway alone: Kafka has it, and a worker will fold it.", "headers": {"Preference-Applied": {"schema": {"type": "string"}}},
      "content": {"application/json": {"schema": {"type": ["object", "array"]}}}},
    "Error": {"description": "Refused.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}},
    "Overloaded": {"description": "The model is too far behind, or the service is not ready.", "headers": {"Retry-After": {"schema": {"type": "string"}}},
      "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}}
  }
})json";

const char* const kPaths = R"json({
  "/v1/models": {"get": {"operationId": "listModels", "summary": "All models, in brief", "tags": ["models"],
    "responses": {"200": {"description": "Models.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ModelList"}}}}, @ERRORS@}},
   "post": {"operationId": "createModelFromTable", "summary": "Make a model of a table", "tags": ["models"],
      "description": "The body is a table of late labels. It is read and played as `tarry run` does it; the model is there with all its rows, or not at all.",
      "parameters": [
        {"name": "from", "in": "query", "required": true, "schema": {"const": "csv"}},
        {"name": "name", "in": "query", "required": true, "description": "The model's name.", "schema": {"type": "string", "pattern": "^[a-z0-9_-]{1,64}$"}},
        {"name": "expiry.days", "in": "query", "required": false, "schema": {"type": "number", "exclusiveMinimum": 0}, "description": "Beside expiry.label."},
        {"name": "label", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The column to predict."},
        {"name": "event_time", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The column of when a row was seen."},
        {"name": "feedback_time", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The column of when its label was known."},
        {"name": "feedback", "in": "query", "required": false, "schema": {"type": "string"}, "description": "Instead: none where labels are known at once, or a wait such as 3 days."},
        {"name": "positive", "in": "query", "required": false, "schema": {"type": "string"}, "description": "Of two words, the one that is +1."},
        {"name": "blank", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The label of rows in which it is not given."},
        {"name": "dates", "in": "query", "required": false, "schema": {"type": "string"}, "description": "day/month/year or month/day/year."},
        {"name": "key", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The column of a key that rows of one round share."},
        {"name": "due", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The column of when a label is due."},
        {"name": "loss", "in": "query", "required": false, "schema": {"type": "string"}, "description": "A loss by its name."},
        {"name": "delimiter", "in": "query", "required": false, "schema": {"type": "string"}, "description": "One character."},
        {"name": "expiry.label", "in": "query", "required": false, "schema": {"type": "string"}, "description": "The label of rows that have none after expiry.days."},
        {"name": "ignore", "in": "query", "required": false, "explode": true, "schema": {"type": "array", "items": {"type": "string"}}, "description": "Columns to leave out."},
        {"name": "include", "in": "query", "required": false, "explode": true, "schema": {"type": "array", "items": {"type": "string"}}, "description": "Columns to keep that would be left out."},
        {"name": "categorical", "in": "query", "required": false, "explode": true, "schema": {"type": "array", "items": {"type": "string"}}, "description": "Columns of numbers that stand for words."}],
      "requestBody": {"required": true, "content": {"text/csv": {"schema": {"type": "string"}}}},
      "responses": {
        "201": {"description": "Made.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TableModel"}}}},
        "200": {"description": "It was there in this state.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/TableModel"}}}},
        "422": {"description": "The table cannot be read, or leaves questions open: then `questions` has them, each with what to add to the query.",
          "content": {"application/json": {"schema": {"type": "object", "required": ["error"], "properties": {
            "error": {"type": "object"}, "questions": {"type": "array", "items": {"type": "object", "required": ["key", "what", "lines", "query"]}},
            "reading": {"type": "object"}}}}}}, @OTHERS@}}},
  "/v1/models/{name}": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "put": {"operationId": "createModel", "summary": "Make a model", "tags": ["models"],
      "description": "The same again is answered 200, another specification under the same name 409. A specification must not name files.",
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ModelSpec"}}}},
      "responses": {
        "201": {"description": "Made.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Model"}}}},
        "200": {"description": "It was there.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Model"}}}}, @ERRORS@}},
    "get": {"operationId": "describeModel", "summary": "A model's state", "tags": ["models"],
      "responses": {"200": {"description": "Its state.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ModelState"}}}}, @ERRORS@}},
    "delete": {"operationId": "deleteModel", "summary": "Delete a model", "tags": ["models"],
      "responses": {"200": {"description": "Deleted.", "content": {"application/json": {"schema": {"type": "object", "required": ["name", "deleted"]}}}}, @ERRORS@}}},
  "/v1/models/{name}/decisions": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "post": {"operationId": "decide", "summary": "Make a decision, or many", "tags": ["decisions"],
      "parameters": [{"$ref": "#/components/parameters/explain"}, {"$ref": "#/components/parameters/idempotencyKey"}, {"$ref": "#/components/parameters/prefer"}],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"anyOf": [
        {"$ref": "#/components/schemas/DecisionRequest"},
        {"type": "object", "required": ["requests"], "additionalProperties": false, "properties": {
          "requests": {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/DecisionRequest"}}}}]}}}},
      "responses": {"200": {"description": "Durable. Of many, each has its decision or its error.", "content": {"application/json": {"schema": {"anyOf": [
        {"$ref": "#/components/schemas/Decision"},
        {"type": "object", "required": ["results"], "properties": {"results": {"type": "array", "items": {"anyOf": [
          {"$ref": "#/components/schemas/Decision"}, {"$ref": "#/components/schemas/Error"}]}}}}]}}}},
        "202": {"$ref": "#/components/responses/Queued"}, @ERRORS@}}},
  "/v1/models/{name}/choices": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "post": {"operationId": "choose", "summary": "Choose one of several actions, or many times", "tags": ["decisions"],
      "parameters": [{"$ref": "#/components/parameters/idempotencyKey"}, {"$ref": "#/components/parameters/prefer"}],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"anyOf": [
        {"$ref": "#/components/schemas/ChoiceRequest"},
        {"type": "object", "required": ["requests"], "additionalProperties": false, "properties": {
          "requests": {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/ChoiceRequest"}}}}]}}}},
      "responses": {"200": {"description": "Durable. Of many, each has its choice or its error.", "content": {"application/json": {"schema": {"anyOf": [
        {"$ref": "#/components/schemas/Choice"},
        {"type": "object", "required": ["results"], "properties": {"results": {"type": "array", "items": {"anyOf": [
          {"$ref": "#/components/schemas/Choice"}, {"$ref": "#/components/schemas/Error"}]}}}}]}}}},
        "202": {"$ref": "#/components/responses/Queued"}, @ERRORS@}}},
  "/v1/models/{name}/predict": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "post": {"operationId": "predict", "summary": "What a decision would predict now; opens no round", "tags": ["decisions"],
      "parameters": [{"$ref": "#/components/parameters/explain"}],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {"anyOf": [
        {"$ref": "#/components/schemas/PredictRequest"},
        {"type": "object", "required": ["requests"], "additionalProperties": false, "properties": {
          "requests": {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/PredictRequest"}}}}]}}}},
      "responses": {"200": {"description": "Predicted.", "content": {"application/json": {"schema": {"anyOf": [
        {"$ref": "#/components/schemas/Prediction"},
        {"type": "object", "required": ["results"], "properties": {"results": {"type": "array", "items": {"anyOf": [
          {"$ref": "#/components/schemas/Prediction"}, {"$ref": "#/components/schemas/Error"}]}}}}]}}}}, @ERRORS@}}},
  "/v1/models/{name}/snapshot": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "get": {"operationId": "snapshotModel", "summary": "The whole state as a file, for `tarry replay --load` and Python", "tags": ["models"],
      "responses": {"200": {"description": "The file.", "headers": {"X-Tarry-Position": {"schema": {"type": "string"}}},
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}}, @ERRORS@}},
    "put": {"operationId": "restoreModel", "summary": "A model that goes on from a state: of a service, of Python, or of `tarry run`", "tags": ["models"],
      "requestBody": {"required": true, "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}},
      "responses": {"201": {"description": "Made.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Model"}}}},
        "200": {"description": "It was there already, in this state.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Model"}}}}, @ERRORS@}}},
  "/v1/feedback": {"post": {"operationId": "feedback", "summary": "What became of a decision, or of many", "tags": ["feedback"],
    "description": "Of many, each has an answer, in their order: a bad one does not refuse the others.",
    "parameters": [{"$ref": "#/components/parameters/prefer"}],
    "requestBody": {"required": true, "content": {"application/json": {"schema": {"anyOf": [
      {"$ref": "#/components/schemas/FeedbackItem"},
      {"type": "array", "maxItems": 10000, "items": {"$ref": "#/components/schemas/FeedbackItem"}}]}}}},
    "responses": {"200": {"description": "Durable.", "content": {"application/json": {"schema": {"anyOf": [
      {"$ref": "#/components/schemas/FeedbackAnswer"},
      {"type": "array", "items": {"anyOf": [{"$ref": "#/components/schemas/FeedbackAnswer"}, {"$ref": "#/components/schemas/Error"}]}}]}}}},
      "202": {"$ref": "#/components/responses/Queued"}, "410": {"$ref": "#/components/responses/Error"}, @ERRORS@}}},
  "/healthz": {"get": {"operationId": "health", "summary": "Whether the process answers", "tags": ["operation"], "security": [],
    "responses": {"200": {"description": "It does.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}}, "default": {"$ref": "#/components/responses/Error"}}}},
  "/readyz": {"get": {"operationId": "ready", "summary": "Whether requests should be sent here", "tags": ["operation"], "security": [],
    "responses": {"200": {"description": "Yes.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Status"}}}},
      "503": {"$ref": "#/components/responses/Overloaded"}, "default": {"$ref": "#/components/responses/Error"}}}},
  "/metrics": {"get": {"operationId": "metrics", "summary": "For Prometheus", "tags": ["operation"],
    "responses": {"200": {"description": "Metrics.", "content": {"text/plain; version=0.0.4; charset=utf-8": {"schema": {"type": "string"}}}}, @ERRORS@}}},
  "/openapi.json": {"get": {"operationId": "openapi", "summary": "This description", "tags": ["operation"], "security": [],
    "responses": {"200": {"description": "OpenAPI 3.1.", "content": {"application/json": {"schema": {"type": "object"}}}}, "default": {"$ref": "#/components/responses/Error"}}}}
})json";

// In place of @ERRORS@, every status that may come; of @OTHERS@, those beside 422, which says more there.
std::string with_errors(std::string paths) {
  for (const std::string_view mark : {"@ERRORS@", "@OTHERS@"}) {
    std::string errors;
    for (const std::string_view status :
         {"400", "401", "403", "404", "405", "409", "413", "415", "422", "431", "500", "501", "504", "507"})
      if (mark == "@ERRORS@" || status != "422")
        errors += fmt::format("\"{}\": {{\"$ref\": \"#/components/responses/Error\"}}, ", status);
    errors += "\"503\": {\"$ref\": \"#/components/responses/Overloaded\"}";
    for (auto at = paths.find(mark); at != std::string::npos; at = paths.find(mark, at))
      paths.replace(at, mark.size(), errors);
  }
  return paths;
}

// What only a gateway has.
const char* const kPartitions = R"json(, "/v1/partitions": {"get": {"operationId": "partitions", "tags": ["operation"],
    "summary": "How far the partitions are, and who folds them",
    "responses": {"200": {"description": "Partitions.", "content": {"application/json": {"schema": {"type": "object",
      "required": ["brokers_answer", "waiting", "unacknowledged", "partitions"], "properties": {
        "brokers_answer": {"type": "boolean"}, "waiting": {"type": "integer"}, "unacknowledged": {"type": "integer"},
        "partitions": {"type": "array", "items": {"type": "object", "properties": {
          "partition": {"type": "integer"}, "events": {"type": ["integer", "null"]}, "answered": {"type": "integer"},
          "lag": {"type": ["integer", "null"]}, "owner": {"type": ["string", "null"]}, "host": {"type": ["string", "null"]},
          "takeovers": {"type": "integer"}}}}}}}}}, @ERRORS@}}}})json";

// Without the brace that ends them.
std::string open_paths() {
  std::string paths = kPaths;
  paths.erase(paths.rfind('}'));
  return paths + challenger_paths() + quality_paths() + round_paths() + personalizer_paths();
}

std::string components() {
  std::string all = kComponents;
  constexpr std::string_view kSchemas = "\"schemas\": {";
  return all.insert(all.find(kSchemas) + kSchemas.size(),
                    challenger_schemas() + quality_schemas() + round_schemas() + personalizer_schemas());
}

std::string described(std::string_view promise, const std::string& paths) {
  return fmt::format(
      "{{\"openapi\": \"3.1.0\", \"info\": {{\"title\": \"Tarry\", \"version\": \"{}\", \"description\": \"Decisions "
      "now, their feedback later, none lost. {}\", \"license\": {{\"name\": \"Apache-2.0\", \"identifier\": "
      "\"Apache-2.0\"}}}}, \"security\": [{{}}, {{\"token\": []}}], \"paths\": {}, \"components\": {}}}",
      kVersion, promise, with_errors(paths), components());
}

}  // namespace

const std::string& openapi_json() {
  static const std::string text = described("An answer comes only after what it says is on disk.", open_paths() + "}");
  return text;
}

const std::string& gateway_openapi_json() {
  static const std::string text =
      described("An answer comes only after Kafka has what it says.", open_paths() + kPartitions);
  return text;
}

}  // namespace tarry::service
