// What a model that chooses earned, as a report's page shows it: beside simple rules, which actions were taken, and
// what exploration costs.
#pragma once

#include <string>

#include "tarry/model/model.h"
#include "tarry/service/watch/choice_watch.h"

namespace tarry::service {

std::string choice_section(const Model& model, const ChoiceWatch& watched);  // HTML; empty: it does not choose

}  // namespace tarry::service
