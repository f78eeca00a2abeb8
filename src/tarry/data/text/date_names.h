// The names of months and weekdays in dates: English, German, French and Spanish ones, whole or cut short.
#pragma once

#include "tarry/data/text/taking.h"

namespace tarry::data {

int take_month(Taking& text);     // from 1; 0: none comes next
bool take_weekday(Taking& text);  // whether one comes next
void skip_at(Taking& text);       // before a time of day: at, um, à, a las
}  // namespace tarry::data
