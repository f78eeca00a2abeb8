// What a challenger is made of: a specification, or what is different in the champion's; and whether the two can be
// compared.
#pragma once

#include "tarry/model/model.h"
#include "tarry/model/model_spec.h"
#include "tarry/spec/value.h"

namespace tarry::hosting {

// A specification has a task or a set; all else are keys that take the place of the champion's: {"products": false}. A
// set that follows from a task follows the keys. Throws Error{kBadSpec}.
ModelSpec challenger_spec(const Model& champion, const spec::Value& given);

// Throws Error, in one line, where a challenger of this specification could not take what the champion takes, or their
// losses would not be of the same thing.
void check_challenger(const Model& champion, const ModelSpec& spec);

}  // namespace tarry::hosting
