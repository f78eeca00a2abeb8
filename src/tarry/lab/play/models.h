// The models of one game: one, or one for each who has rounds of their own. A model is made when its first round comes.
#pragma once

#include <functional>
#include <map>

#include "tarry/learners/snapshot.h"
#include "tarry/model/model.h"

namespace tarry::lab {

class Models {
 public:
  using Make = std::function<Model(std::size_t seat)>;
  explicit Models(Make make) : make_(std::move(make)) {}

  Model& at(std::size_t seat) {
    const auto made = models_.find(seat);
    return made != models_.end() ? made->second : models_.emplace(seat, make_(seat)).first->second;
  }
  const Model* only() const { return models_.size() == 1 ? &models_.begin()->second : nullptr; }

  std::optional<double> certificate() const {  // Σ over all; none where one has none
    double sum = 0;
    for (const auto& [seat, model] : models_) {
      const auto bound = model.certificate();
      if (!bound) return std::nullopt;
      sum += *bound;
    }
    return sum;
  }
  std::uint64_t outstanding() const {
    return total([](const Model& model) { return model.ledger().outstanding(); });
  }
  std::uint64_t expired() const {
    return total([](const Model& model) { return model.ledger().expired(); });
  }
  std::uint64_t untracked() const {
    return total([](const Model& model) { return model.ledger().untracked(); });
  }
  std::uint64_t state_bytes() const {  // of snapshots of the learners
    return total([](const Model& model) { return snapshot_size(model.learner()); });
  }

 private:
  template <class Of>
  std::uint64_t total(Of of) const {
    std::uint64_t sum = 0;
    for (const auto& [seat, model] : models_) sum += of(model);
    return sum;
  }

  Make make_;
  std::map<std::size_t, Model> models_;
};

}  // namespace tarry::lab
