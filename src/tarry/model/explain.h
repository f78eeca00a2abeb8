// What a specification means and what its model will cost, before it is used, or what a model that was saved knows
// about waiting: the library's side of `tarry explain`.
#pragma once

#include <optional>
#include <string>

#include "tarry/model/alike_names.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/waiting_view.h"

namespace tarry {

struct Explanation {
  struct Geometry {
    Index dimension = 0;
    double diameter = 0;
    std::optional<double> strong_convexity = std::nullopt;  // β_K
    std::optional<double> gauge_curvature = std::nullopt;   // μ
    bool can_project = false;
  };
  // Of a round that waits for its answer, measured on a new model.
  struct Waiting {
    std::size_t features = 0;  // that came with the play
    std::size_t bytes = 0;     // of its context in the ledger, the memo among them
    std::size_t memo = 0;      // numbers that the learner wants back
  };
  struct Bound {
    double rounds = 0, gradient_bound = 0;
    double regret = 0;
    double trivial = 0;  // T G D: what no sequence of decisions exceeds; a larger bound says nothing yet
    std::string holds;   // under which conditions
  };

  ModelSpec spec;
  std::string fingerprint;                             // the first 16 digits of the SHA-256 of spec.json()
  std::optional<Geometry> set = std::nullopt;          // nothing: it does not fit into memory
  std::optional<std::size_t> learners = std::nullopt;  // that the learner is made of; nothing: too large to make
  std::vector<std::string> banks = {};                 // what they see, where some see more of a row than others
  std::optional<std::string> update = std::nullopt;    // what a round's update costs, where that is known
  std::optional<Waiting> waiting = std::nullopt;
  std::optional<Bound> bound = std::nullopt;
  struct State {  // of a model that was saved
    Round rounds = 0, outstanding = 0;
    std::optional<Apprentice::Figures> apprentice = std::nullopt;
    std::optional<Comparison::Figures> comparison = std::nullopt;  // of a model that chooses
  };
  std::optional<State> state = std::nullopt;
  std::optional<WaitingView> waits = std::nullopt;  // of a model that has played
  std::vector<Model::Curve> curves = {};            // of its numbers that bend
  std::vector<AlikeName> alike = {};                // names of features that may be typing errors
};

struct Horizon {
  double rounds = 0;
  double gradient_bound = 1;
};

// Throws Error for a specification that no model can be made from. What would take more memory or time than a look is
// worth is left out.
Explanation explain(const ModelSpec& spec, const std::optional<Horizon>& horizon = std::nullopt);
// The same of a model's specification, and what the model knows about waiting by now.
Explanation explain(const Model& model, const std::optional<Horizon>& horizon = std::nullopt);

}  // namespace tarry
