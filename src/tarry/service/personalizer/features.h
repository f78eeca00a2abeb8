// Features as Personalizer takes them: lists of objects in objects. Each value gets the name of its way down, with dots
// between: [{"user": {"age": 31}}] is user.age = 31.
#pragma once

#include <string>

#include "tarry/features/named.h"
#include "tarry/spec/node.h"

namespace tarry::service::personalizer {

// null is missing, and so is what is below a name that begins with "_", as it was there. A list of texts stays one, of
// other lists each element has its number as a name. A name that comes again gets "#2", "#3" and so on. Throws Error.
NamedFeatures read_feature_list(const spec::Node& list);

// The same of a context, whose names must not be those that a row has for its action: such a one begins with
// "context.".
NamedFeatures read_context(const spec::Node& list);

}  // namespace tarry::service::personalizer
