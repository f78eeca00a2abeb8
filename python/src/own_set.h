// Decision sets written in Python: any object with oracle(c), start and diameter. A specification names the class and
// which of the objects at hand it is; the objects themselves are handed in beside it, so that no snapshot holds code.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <vector>

#include "tarry/spec/value.h"

namespace tarry::python {

// One reference to each object, which a model and the set inside it share: the garbage collector counts it once.
using OwnObject = std::shared_ptr<nanobind::object>;
using Own = std::vector<OwnObject>;
OwnObject own_object(nanobind::handle object);

// While it lives, sets of this thread's specifications are looked for here, and objects that stand in them put here.
class Handed {
 public:
  explicit Handed(Own& own);
  ~Handed();
  Handed(const Handed&) = delete;
  Handed& operator=(const Handed&) = delete;

 private:
  Own* before_;
};

bool is_own_set(nanobind::handle given);
// What stands for it in a specification. Throws TypeError where objects cannot stand.
spec::Value own_set_value(nanobind::handle given);

// Adds the type "own" to the registry of sets; before its first use.
void add_own_sets();

}  // namespace tarry::python
