// What the readers of data files have in common: the keys they share, and what becomes of a label.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tarry/data/text/text_lines.h"
#include "tarry/data/text/written_date.h"
#include "tarry/features/label_value.h"
#include "tarry/spec/node.h"

namespace tarry::data {

// A label as the loss wants it; throws Error where it cannot be one. Empty: any number will do.
using AsLabel = std::function<double(const LabelValue&)>;

// The label, or an error that names the line.
double checked_label(const AsLabel& as_label, const LabelValue& label, const Place& place);
// That of a cell: a number, which is divided, or a word.
double cell_label(const AsLabel& as_label, std::string_view column, std::string_view cell, double divisor,
                  const Place& place);

using Divisors = std::map<std::string, double, std::less<>>;  // by column

// ---- keys, each with its default
bool flag_or(const spec::Node& node, const std::string& key, bool fallback);
std::vector<std::string> names_or_none(const spec::Node& node, const std::string& key);  // an array of texts, each once
Divisors divisors_or_none(const spec::Node& node);  // divide: a table of positive numbers
char delimiter_or(const spec::Node& node, char fallback);
DateOrder date_order_or_none(const spec::Node& node);  // dates: "day/month/year" or "month/day/year"
std::size_t limit_or_all(const spec::Node& node);      // limit: how many rows; 0 where it is not given

}  // namespace tarry::data
