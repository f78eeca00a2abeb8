// Sets, learners and losses written in Python. A specification names the class and which of the objects at hand it is;
// the objects themselves are handed in beside it, so that no snapshot holds code.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include "answers.h"
#include "tarry/learners/registry.h"
#include "tarry/spec/node.h"

namespace tarry::python {

// One reference to each object, which a model and the part inside it share: the garbage collector counts it once.
using OwnObject = std::shared_ptr<nanobind::object>;
OwnObject own_object(nanobind::handle object);

// What one model, or one experiment, has that is written in Python.
struct OwnParts {
  std::vector<OwnObject> objects;                        // in the order of the specification
  std::vector<std::weak_ptr<nanobind::object>> playing;  // the learners themselves: each is a copy of its object
  Index first = 0;                                       // the number of the first object
  Answers answers;
};
using Own = std::shared_ptr<OwnParts>;

// While it lives, what this thread's specifications name is looked for here, and objects that stand in them put here.
class Handed {
 public:
  explicit Handed(Own own);
  ~Handed();
  Handed(const Handed&) = delete;
  Handed& operator=(const Handed&) = delete;

 private:
  Own before_;
};

// The same for all threads: an experiment's runs. Its objects get numbers that no other experiment has at the time.
class HandedToAll {
 public:
  explicit HandedToAll(Own own);
  ~HandedToAll();
  HandedToAll(const HandedToAll&) = delete;
  HandedToAll& operator=(const HandedToAll&) = delete;

 private:
  Own own_;
};

// "module.Class", or "module.function".
std::string name_of(nanobind::handle object);

// An object, not a class, that is a set, a learner or a loss by what it has.
bool is_own(nanobind::handle given);
// What stands for it in a specification. Throws TypeError where objects cannot stand.
spec::Value own_value(nanobind::handle given);

// The object that a specification of the type "own" names, and those it belongs to.
struct Found {
  OwnObject object;
  Own own;
};
Found find_own(const spec::Node& node, const char* kind);

// A point, as an array of one dimension. Throws for what is none, for numbers that are not finite, and for another
// number of coordinates than `size`; 0: any.
Vec point_of(nanobind::handle given, const std::string& name, std::size_t size);

bool is_own_set(nanobind::handle given);
bool is_own_learner(nanobind::handle given);
bool is_own_loss(nanobind::handle given);
Index dimension_of_own_set(const OwnObject& object);  // checks it, too
nanobind::object set_for_python(const LearnerSetting& setting);

// Add the type "own" to a registry; before its first use.
void add_own_sets();
void add_own_learners();
void add_own_losses();

}  // namespace tarry::python
