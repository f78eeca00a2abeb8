// Names of features that a served model had never seen before: often a typing error, which would be learnt in silence.
// It is no part of the model: it begins again with the service, which then knows the names that the model has.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tarry/features/letters_apart.h"
#include "tarry/model/model.h"

namespace tarry::service {

struct NewName {
  std::string name;
  Round first = 0;           // the round that it came with first,
  std::int64_t at_ms = 0;    // and when that was
  std::uint64_t rounds = 0;  // that had it since
  std::string like = {};     // a known name that is nearly the same; empty: none is
};

class NameWatch {
 public:
  static constexpr Round kWarmUp = 100;          // rounds of a model in which every name is new
  static constexpr std::size_t kMost = 20;       // new names that are kept
  static constexpr std::size_t kKnown = 10'000;  // with more names it no longer watches

  // Neither throws: where there is no memory, it no longer watches.
  void begin(const Model& model);  // before the first event: what the model knows
  // After an event was applied, which this round was opened with.
  void saw(const Model& model, const Event& event, Round round, std::int64_t at_ms);

  const std::vector<NewName>& news() const { return news_; }
  // For people: "amuont is new since round 312: did you mean amount?"; empty: there are none.
  std::string told() const;

 private:
  void learn_names(const Model& model);
  void look(const Model& model, const NamedFeatures& features, Round round, std::int64_t at_ms);
  void add(const std::string& name, Round round, std::int64_t at_ms);

  bool begun_ = false, watches_ = true;
  Index slots_ = 0;           // of the model's vocabulary when it was looked at,
  std::uint64_t shared_ = 0;  // and values beyond them: both grow with every new name
  std::set<std::string, std::less<>> known_;
  std::vector<NewName> news_;
};

}  // namespace tarry::service
