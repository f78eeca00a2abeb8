#include "tarry/lab/report/quality_json.h"

#include <cmath>
#include <limits>

#include "tarry/model/curves.h"

namespace tarry::lab {
namespace {

using spec::Value;

Value number(double x) { return std::isfinite(x) ? Value{x} : Value{}; }

double number_in(const spec::Node& node, const char* key) {
  const spec::Node found = node.at(key);
  const auto* real = std::get_if<double>(&found.value().as);
  if (real != nullptr) return *real;  // not number(), which refuses what is beyond 1e100
  return found.is_number() ? found.number() : std::numeric_limits<double>::quiet_NaN();
}

Value bins_value(const std::vector<Quality::Bin>& bins) {
  spec::Array all;
  for (const Quality::Bin& bin : bins)
    all.push_back({spec::Object{{"rounds", number(bin.rounds)},
                                {"predicted", number(bin.predicted)},
                                {"outcome", number(bin.outcome)},
                                {"error", number(bin.error)}}});
  return {all};
}

std::vector<Quality::Bin> read_bins(const spec::Node& node) {
  std::vector<Quality::Bin> bins;
  for (const spec::Node& bin : node.list())
    bins.push_back(
        {number_in(bin, "rounds"), number_in(bin, "predicted"), number_in(bin, "outcome"), number_in(bin, "error")});
  return bins;
}

}  // namespace

Value quality_value(const Quality& quality) {
  if (quality.calibration.empty() && quality.confusion.empty() && quality.weights.empty()) return {};
  spec::Array classes, confusion, weights;
  for (const std::string& name : quality.classes) classes.push_back({name});
  for (const Vec& row : quality.confusion) confusion.push_back({row});
  for (const Model::Weight& weight : quality.weights) {
    spec::Object one{{"name", Value{weight.name}}, {"weight", number(weight.weight)}};
    if (!weight.of_class.empty()) one.push_back({"class", Value{weight.of_class}});
    weights.push_back({std::move(one)});
  }
  return {spec::Object{{"calibration", bins_value(quality.calibration)},
                       {"by_size", bins_value(quality.by_size)},
                       {"classes", Value{classes}},
                       {"confusion", Value{confusion}},
                       {"weights", Value{weights}},
                       {"curves", to_value(quality.curves)}}};
}

Quality read_quality(const spec::Node& run) {
  const auto node = run.find("quality");
  if (!node || !node->is_object()) return {};
  Quality quality{.calibration = read_bins(node->at("calibration")), .by_size = read_bins(node->at("by_size"))};
  for (const spec::Node& name : node->at("classes").list()) quality.classes.push_back(name.text());
  for (const spec::Node& row : node->at("confusion").list()) quality.confusion.push_back(row.numbers());
  for (const spec::Node& weight : node->at("weights").list())
    quality.weights.push_back({weight.text("name"), number_in(weight, "weight"), weight.text_or("class", "")});
  if (const auto curves = node->find("curves"))  // runs that were kept before have none
    for (const spec::Node& curve : curves->list())
      quality.curves.push_back({.name = curve.text("name"),
                                .at = curve.at("at").numbers(),
                                .effect = curve.at("effect").numbers(),
                                .whole = curve.at("whole").flag(),
                                .of_labels = curve.text("unit") == "label"});
  return quality;
}

}  // namespace tarry::lab
