#include "tarry/service/routes/openapi_quality.h"

namespace tarry::service {

std::string quality_schemas() {
  return R"json(
    "Expected": {"type": "object", "description": "A mean over decisions; null while it is too early to say.", "required": ["so_far", "expected", "low", "high"], "properties": {
      "so_far": {"type": ["number", "null"], "description": "Of the labels that came."},
      "expected": {"type": ["number", "null"], "description": "Once all labels are there; low to high is a 95 % interval."},
      "low": {"type": ["number", "null"]}, "high": {"type": ["number", "null"]}}},
    "Prospect": {"type": "object", "description": "Of the decisions of a span of time.", "required": ["from", "to", "decisions", "labels", "share", "loss", "gain"], "properties": {
      "from": {"type": "integer", "description": "Milliseconds since 1970."}, "to": {"type": "integer"},
      "decisions": {"type": "number"}, "labels": {"type": "number", "description": "That came."},
      "share": {"type": "number", "description": "Labels that came, of all that will probably come."},
      "loss": {"$ref": "#/components/schemas/Expected"},
      "gain": {"$ref": "#/components/schemas/Expected", "description": "How much more a constant answer loses."}}},
    "Quality": {"type": "object", "required": ["health", "miscalibrated", "overdue", "sentence", "troubles", "lately", "complete", "spans", "calibration", "reliability", "checks"], "properties": {
      "health": {"enum": ["no labels", "too early", "unclear", "better", "worse"], "description": "Beside a constant answer."},
      "miscalibrated": {"type": "boolean", "description": "Probabilities are off by more than chance explains."},
      "overdue": {"type": "boolean", "description": "Fewer than half of the labels came that should have come by now."},
      "sentence": {"type": "string", "description": "For people: what is wrong, then how good it is."},
      "troubles": {"type": "array", "items": {"type": "object", "required": ["what", "since", "look"], "properties": {
        "what": {"enum": ["overdue", "worse", "miscalibrated"]}, "since": {"type": "integer", "description": "When it was first noticed, in milliseconds since 1970."},
        "look": {"type": "string", "description": "Where to look."}}}},
      "lately": {"$ref": "#/components/schemas/Prospect"},
      "complete": {"description": "The newest decisions whose labels are there.", "anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Prospect"}]},
      "spans": {"type": "array", "items": {"$ref": "#/components/schemas/Prospect"}},
      "calibration": {"description": "Predictions beside what came of them; null: no label came, or the model predicts classes.", "anyOf": [{"type": "null"},
        {"type": "object", "required": ["labels", "predicted", "outcome", "error", "error_by_chance"], "properties": {
          "labels": {"type": "number"}, "predicted": {"type": "number", "description": "Mean prediction; of numbers, over about the last thousand labels."},
          "outcome": {"type": "number", "description": "Mean outcome, or the share that was yes."},
          "error": {"type": ["number", "null"], "description": "How far probabilities are from what happened, averaged over bins (ECE)."},
          "error_by_chance": {"type": ["number", "null"], "description": "What it would be on average if every probability were right."}}}]},
      "reliability": {"type": "array", "description": "Of probabilities: bins with their labels, the mean prediction, and the share that happened.",
        "items": {"type": "array", "items": {"type": "number"}, "minItems": 3, "maxItems": 3}},
      "checks": {"type": "array", "description": "What became of earlier estimates, by the share of labels that were in.", "items": {"type": "object",
        "required": ["share", "estimates", "off", "last_known_off", "within"], "properties": {
          "share": {"type": "number"}, "estimates": {"type": "number"}, "off": {"type": "number", "description": "On average."},
          "last_known_off": {"type": "number", "description": "The same of the last complete value."},
          "within": {"type": "number", "description": "The share that was inside its interval."}}}}}},
    "Drift": {"type": "object", "required": ["learns_until", "features", "alarms"], "properties": {
      "learns_until": {"type": "integer", "description": "Milliseconds since 1970; 0: nothing was decided yet."},
      "features": {"type": "integer", "description": "That are watched."},
      "alarms": {"type": "array", "description": "The newest first.", "items": {"type": "object",
        "required": ["number", "kind", "column", "since", "raised", "over", "text", "look"], "properties": {
          "number": {"type": "integer"}, "kind": {"enum": ["feature", "new_names", "prediction", "label", "delay", "arrivals"]},
          "column": {"type": "string"}, "since": {"type": "integer"}, "raised": {"type": "integer"},
          "over": {"type": ["integer", "null"], "description": "null: it lasts."}, "text": {"type": "string"}, "look": {"type": "string"}}}}}},
    "ModelQuality": {"type": "object", "required": ["model", "quality", "drift"], "properties": {
      "model": {"type": "string"},
      "quality": {"description": "null: it learns from gradients, or the service keeps no history.", "anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Quality"}]},
      "drift": {"anyOf": [{"type": "null"}, {"$ref": "#/components/schemas/Drift"}]}}},)json";
}

std::string quality_paths() {
  return R"json(,
  "/v1/models/{name}/quality": {
    "parameters": [{"$ref": "#/components/parameters/name"}],
    "get": {"operationId": "modelQuality", "summary": "How good a model is before its labels have come, and what has changed", "tags": ["models"],
      "responses": {"200": {"description": "As far as is known.", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ModelQuality"}}}}, @ERRORS@}}})json";
}

}  // namespace tarry::service
