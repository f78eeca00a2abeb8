#include "tarry/model/contributions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>

#include "tarry/base/error.h"
#include "tarry/linalg/stacked.h"
#include "tarry/model/model.h"

namespace tarry {
namespace {

using spec::Value;

constexpr Index kMostWeights = Index{1} << 22;    // slots that are looked through,
constexpr Index kMostMultiplied = 192;            // and how many may be if their pairs are to be, too
constexpr const char* kConstant = "(intercept)";  // as the vocabulary calls it
constexpr const char* kTrees = "(trees)";

// How the entries of a wide row are called. The product of a feature with the constant one is that feature again.
class EntryNames {
 public:
  explicit EntryNames(const FeatureCare& care) : care_(care) {}
  // `here`: the slots that a row has, ascending. What is there nearly always adds something where it is not.
  EntryNames(const FeatureCare& care, const std::vector<Index>& here) : care_(care), here_(&here) {}

  std::string of(Index entry) const {
    const Index features = care_.dimension(), multiplied = care_.products().of();
    if (entry < features) return one(entry);
    if (entry >= care_.products().width()) {  // a number's curve is its own
      const auto [x, y] = care_.bends().features_of(entry);
      return x == y || one(y) == kConstant ? one(x) : one(x) + " × " + one(y);
    }
    const std::string a = one((entry - features) / multiplied), b = one((entry - features) % multiplied);
    if (a == kConstant) return b;
    return a == b ? a + "²" : a + " × " + b;
  }

 private:
  std::string one(Index slot) const {
    const bool there = here_ == nullptr || std::binary_search(here_->begin(), here_->end(), slot);
    return there ? care_.name_of(slot) : "not " + care_.name_of(slot);
  }

  const FeatureCare& care_;
  const std::vector<Index>* here_ = nullptr;
};

void sort_by_size(std::vector<Contributions::Part>& parts) {
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return std::fabs(a.adds) > std::fabs(b.adds); });
}

// What is no feature's own.
double rest_after(const Contributions::Output& output, const std::map<std::string, double>& adds) {
  double rest = output.score - output.base;
  for (const auto& [name, added] : adds) rest -= added;
  return rest;
}

// What the parts past the first `most` add together.
double rest_of(const Contributions::Output& output, std::size_t most) {
  double rest = 0;
  for (std::size_t i = most; i < output.parts.size(); ++i) rest += output.parts[i].adds;
  return rest;
}

}  // namespace

std::string Model::class_name(std::size_t c) const {
  return c < class_names().size() ? class_names()[c] : fmt::format("{}", c);
}

Contributions Model::contributions(const FeaturesView& given) const {
  if (choice_ || !loss_)
    throw Error(Code::kUnsupported, "explain: only a model that predicts labels can say what each feature adds");
  Row scratch, wide;
  const Covector row = care_.widen(care_.look_up(given, scratch), next_own(), wide);
  Row here;
  const auto* encoder = care_.encoder() != nullptr ? std::get_if<Encoder>(care_.encoder()) : nullptr;
  if (encoder != nullptr) encoder->look_up(*given.named(), here);
  const EntryNames names = encoder != nullptr ? EntryNames(care_, here.indices) : EntryNames(care_);
  const Link link = label_scale_ ? label_scale_->link() : Link{};
  const Outcome predicted = predict(given);
  Contributions told{.score_is = outputs() > 1          ? "score"
                                 : shown(0) == 0.5      ? "log-odds"
                                 : loss_->classes() > 0 ? "margin"
                                                        : "number",
                     .prediction = outputs() > 1 ? predicted.prediction : shown(predicted.prediction)};
  told.probabilities = probabilities(predicted.scores);
  const std::size_t named = names_classes() ? class_names().size() : outputs();
  for (std::size_t c = 0; c < std::max<std::size_t>(1, std::min(outputs(), named)); ++c) {
    Contributions::Output output{.base = link(0), .score = outputs() > 1 ? predicted.scores[c] : predicted.prediction};
    if (outputs() > 1) output.of_class = class_name(c);
    std::map<std::string, double> adds;
    const double one = 1;
    row.each([&](Index entry, double value) {
      const Index at = entry + static_cast<Index>(c) * care_.width();
      adds[names.of(entry)] += link.scale * value * learner_.predict_linear(Covector::sparse({&at, 1}, {&one, 1}));
    });
    if (trees_) adds[kTrees] = rest_after(output, adds);
    for (const auto& [name, added] : adds)
      if (added != 0) output.parts.push_back({name, added});
    sort_by_size(output.parts);
    told.outputs.push_back(std::move(output));
  }
  return told;
}

std::vector<Model::Weight> Model::weights(std::size_t most, bool products) const {
  struct Found {
    double weight;
    Index entry;
    std::size_t output;
  };
  std::vector<Found> found;
  const auto look_at = [&](Index entry, std::size_t c) {
    const Index at = entry + static_cast<Index>(c) * care_.width();
    const double one = 1, weight = learner_.predict_linear(Covector::sparse({&at, 1}, {&one, 1}));
    if (weight != 0) found.push_back({weight, entry, c});
  };
  const Index multiplied = std::min(care_.slots(), care_.products().of());
  const bool pairs = products && multiplied <= kMostMultiplied && !care_.crosses();
  const auto* named = care_.encoder() != nullptr ? std::get_if<Encoder>(care_.encoder()) : nullptr;
  const Index first = named != nullptr && named->vocabulary().has_intercept() ? 1 : 0;  // what it multiplies is not new
  for (std::size_t c = 0; c < outputs(); ++c) {
    for (Index slot = 0; slot < std::min(care_.slots(), kMostWeights); ++slot) look_at(slot, c);
    for (Index a = first; pairs && a < multiplied; ++a)
      for (Index b = a; b < multiplied; ++b) look_at(care_.dimension() + a * care_.products().of() + b, c);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Found& a, const Found& b) { return std::fabs(a.weight) > std::fabs(b.weight); });
  found.resize(std::min(most, found.size()));
  std::vector<Weight> all;
  const EntryNames names(care_);
  for (const Found& x : found) {
    Weight weight{.name = names.of(x.entry), .weight = x.weight};
    if (outputs() > 1) weight.of_class = class_name(x.output);
    all.push_back(std::move(weight));
  }
  return all;
}

Value to_value(const Contributions& told, std::size_t most) {
  spec::Array outputs;
  for (std::size_t c = 0; c < told.outputs.size(); ++c) {
    const Contributions::Output& output = told.outputs[c];
    spec::Array parts;
    for (std::size_t i = 0; i < std::min(most, output.parts.size()); ++i)
      parts.push_back({spec::Object{{"name", Value{output.parts[i].name}}, {"adds", Value{output.parts[i].adds}}}});
    spec::Object value;
    if (!output.of_class.empty()) value.push_back({"class", Value{output.of_class}});
    if (c < told.probabilities.size()) value.push_back({"probability", Value{told.probabilities[c]}});
    value.push_back({"base", Value{output.base}});
    value.push_back({"score", Value{output.score}});
    value.push_back({"parts", Value{parts}});
    if (output.parts.size() > most) value.push_back({"rest", Value{rest_of(output, most)}});
    outputs.push_back({std::move(value)});
  }
  return {spec::Object{{"score_is", Value{told.score_is}}, {"outputs", Value{outputs}}}};
}

std::string contributions_text(const Contributions& told, std::size_t most) {
  std::string text;
  const auto out = std::back_inserter(text);
  if (told.outputs.size() == 1 && told.outputs.front().of_class.empty())
    fmt::format_to(out, "prediction {:.6g}\n", told.prediction);
  for (std::size_t c = 0; c < told.outputs.size(); ++c) {
    const Contributions::Output& output = told.outputs[c];
    const std::string chance =
        c < told.probabilities.size() ? fmt::format(", probability {:.4g}", told.probabilities[c]) : "";
    fmt::format_to(out, "{}{}{} {:.6g}{}\n", output.of_class, output.of_class.empty() ? "" : ": ", told.score_is,
                   output.score, chance);
    std::vector<Contributions::Part> lines(
        output.parts.begin(), output.parts.begin() + static_cast<std::ptrdiff_t>(std::min(most, output.parts.size())));
    if (output.parts.size() > most)
      lines.push_back({fmt::format("({} others)", output.parts.size() - most), rest_of(output, most)});
    if (output.base != 0) lines.insert(lines.begin(), {"(mean of the labels)", output.base});
    for (const Contributions::Part& part : lines) fmt::format_to(out, "  {:>+12.6g}  {}\n", part.adds, part.name);
  }
  return text;
}

}  // namespace tarry
