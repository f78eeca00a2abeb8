// A model in a few numbers: a row of the dashboard's table, and the head of the model's own page.
#pragma once

#include <cstdint>
#include <string>

#include "tarry/service/models/served.h"
#include "tarry/service/watch/timeline.h"

namespace tarry::service {

// The members of an object, without its braces.
void append_row(std::string& out, Served& served, std::int64_t now_ms);

// "box · auto · logistic": what a model is made of.
std::string about_model(const Model& model);

// So many a second, over the step of now and the one before.
double rate(const Timeline& timeline, std::int64_t now_ms, std::uint32_t Step::*count);

}  // namespace tarry::service
