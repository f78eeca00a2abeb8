#include "tarry/model/model_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/losses/registry.h"
#include "tarry/model/lost_labels.h"
#include "tarry/model/tasks.h"
#include "tarry/model/tracked.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace tarry {
namespace {

using spec::Node;
using spec::Value;

// `type` first, the other keys in the order of their names.
bool before(const spec::Member& a, const spec::Member& b) {
  const bool a_type = a.first == "type", b_type = b.first == "type";
  return a_type != b_type ? a_type : a.first < b.first;
}

std::vector<std::string> read_names(const Node& node) {
  std::vector<std::string> names;
  std::set<std::string> seen;
  for (const Node& name : node.list("an array of names")) {
    if (!seen.insert(name.text()).second || name.text().empty()) node.fail("an array of different names");
    names.push_back(name.text());
  }
  return names;
}

Value value_of(const std::vector<std::string>& names) {
  spec::Array array;
  for (const std::string& name : names) array.push_back({name});
  return {array};
}

AnyEncoder make_encoder(const Node& node) {
  const std::string type = node.text_or("type", "named");
  if (type == "named") return Encoder(FeatureSpec::read(node));
  if (type != "ratings") node.at("type").fail("\"named\" or \"ratings\"");
  const RatingSizes sizes{node.dimension("users"), node.dimension("items")};
  if (sizes.users > kMostSlots || sizes.items > kMostSlots || sizes.users > spec::kMaxDimension / sizes.items)
    node.fail_whole("users × items must be at most 2^40");
  node.refuse_unknown_keys();
  return RatingsEncoder(sizes);
}

LabelReader make_label_reader(const std::optional<Value>& loss, const std::optional<AnyLoss>& made) {
  const Value* names = loss ? loss->find("names") : nullptr;
  if (names == nullptr) return {};
  return LabelReader(read_names(Node(*names, "names")), made->outputs());
}

}  // namespace

Value canonical(const Value& value) {
  Value out = value;
  out.line = 0;
  if (const auto* number = std::get_if<double>(&value.as);
      number != nullptr && *number == std::floor(*number) && std::fabs(*number) <= 0x1p53)
    out.as = static_cast<std::int64_t>(*number);
  if (auto* array = std::get_if<spec::Array>(&out.as)) {
    if (array->empty())
      out.as = spec::Numbers{};
    else
      for (Value& element : *array) element = canonical(element);
  }
  if (auto* object = std::get_if<spec::Object>(&out.as)) {
    for (auto& [key, member] : *object) member = canonical(member);
    std::sort(object->begin(), object->end(), before);
  }
  return out;
}

ModelSpec ModelSpec::read(const Value& value) {
  Node node(value, "model");
  if (!node.is_object()) node.fail_whole(fmt::format("a model must be an object ({} came)", spec::brief(value)));
  if (node.has("task")) {
    const Value expanded = expand_task(node);
    return read(expanded);
  }
  ModelSpec spec;
  spec.set = canonical(node.at("set", "a set").value());
  spec.learner = canonical(node.at("learner", "a learner").value());
  if (const auto loss = node.find("loss"))
    spec.loss = canonical(loss->is_text() ? Value{spec::Object{{"type", loss->value()}}} : loss->value());
  if (const auto standardise = node.find("standardise")) spec.standardise = standardise->flag();
  // How many features have products that the learner weighs, or products by name.
  const auto products = node.find("products");
  const bool by_name = products && !products->is_number();
  if (products && !by_name) spec.products = node.count("products", 0, Products::kMost);
  if (by_name && !(node.has("features") && node.at("features").is_object()))
    products->fail("a whole number, or pairs of names for a model with features by name");
  if (node.has("bends")) spec.bends = node.count("bends", 0, Bends::kMost);
  if (const auto trees = node.find("trees")) spec.trees = trees->flag();
  if (node.has("numbers")) spec.numbers = node.count("numbers", 0, spec::kMaxDimension);
  if (const auto features = node.find("features")) {
    const Value given = by_name ? with_products(features->value(), *products) : features->value();
    const AnyEncoder encoder = make_encoder(Node(given, "features"));  // with every default written out
    const auto* named = std::get_if<Encoder>(&encoder);
    spec.features = canonical(named != nullptr ? named->spec().to_value() : given);
  }
  if (const auto names = node.find("names")) spec.names = read_names(*names);
  if (const auto initial = node.find("initial")) spec.initial = initial->numbers();
  if (const auto expiry = node.find("expiry")) spec.expiry = Expiry::read(Node(expiry->value(), "expiry"));
  spec.revisable = Revisable::read(node);
  if (const auto tracked = node.find("tracked")) spec.tracked = read_tracked(*tracked);
  if (const auto lost = node.find("lost")) {
    check_lost(*lost);
    spec.lost = canonical(lost->value());
  }
  if (const auto choose = node.find("choose")) spec.choice = ChoiceSpec::read(Node(choose->value(), "choose"));
  node.refuse_unknown_keys();
  return spec;
}

ModelSpec ModelSpec::parse(std::string_view json) { return read(spec::parse_json(json)); }

Value ModelSpec::to_value() const {
  spec::Object object{{"set", set}, {"learner", learner}};
  if (loss) object.emplace_back("loss", *loss);
  if (standardise) object.emplace_back("standardise", Value{true});
  if (products > 0) object.emplace_back("products", Value{products});
  if (bends > 0) object.emplace_back("bends", Value{bends});
  if (trees) object.emplace_back("trees", Value{true});
  if (numbers > 0) object.emplace_back("numbers", Value{numbers});
  if (features) object.emplace_back("features", *features);
  if (!names.empty()) object.emplace_back("names", value_of(names));
  if (!initial.empty()) object.emplace_back("initial", Value{initial});
  if (expiry) object.emplace_back("expiry", canonical(expiry->to_value()));
  revisable.add_to(object);
  if (tracked.any()) object.emplace_back("tracked", tarry::to_value(tracked));
  if (lost) object.emplace_back("lost", *lost);
  if (choice) object.emplace_back("choose", canonical(choice->to_value()));
  return {object};
}

std::string ModelSpec::json() const { return spec::to_json(to_value()); }

std::string first_difference(const Value& a, const Value& b, const std::string& here, const std::string& there) {
  const auto* x = std::get_if<spec::Object>(&a.as);
  const auto* y = std::get_if<spec::Object>(&b.as);
  if (x == nullptr || y == nullptr) {
    if (spec::to_json(a) == spec::to_json(b)) return "";
    return fmt::format(" is {} {} and {} {}", spec::brief(a), here, spec::brief(b), there);
  }
  const auto joined = [](const std::string& key, const std::string& rest) {
    return rest.starts_with(' ') ? key + rest : key + "." + rest;
  };
  for (const auto& [key, member] : *x) {
    const Value* other = b.find(key);
    if (other == nullptr) return fmt::format("{} is {} {} and absent {}", key, spec::brief(member), here, there);
    if (const std::string inside = first_difference(member, *other, here, there); !inside.empty())
      return joined(key, inside);
  }
  for (const auto& [key, member] : *y)
    if (a.find(key) == nullptr) return fmt::format("{} is absent {} and {} {}", key, here, spec::brief(member), there);
  return "";
}

namespace {

std::string loss_type(const Value& loss) {
  const auto* name = std::get_if<std::string>(&loss.as);
  return name != nullptr ? *name : Node(loss, "loss").type();
}

// The class that rounds become which stay open, where the specification says so and the class has its place by now.
std::optional<Default> default_class(const Expiry& expiry, const LabelReader& labels, const AnyLoss& loss) {
  if (!expiry.then_label || loss.classes() == 0) return std::nullopt;
  const std::string name = class_name(*expiry.then_label);
  const auto& names = labels.names();
  if (labels.names_classes() && std::find(names.begin(), names.end(), name) == names.end()) return std::nullopt;
  const double label = labels.read(*expiry.then_label, loss);
  const double kind = loss.outputs() > 1 ? label : label > 0 ? 1 : 0;
  return Default{static_cast<std::size_t>(kind), expiry.rounds};
}

// Trees follow one number, or the odds of one of two classes, and only some learners weigh them.
void check_trees(const ModelSpec& spec, const std::optional<AnyLoss>& loss) {
  const LearnerEntry* entry = learner_entry(spec.learner);
  if (!spec.standardise) throw Error(Code::kBadSpec, "trees needs standardise = true");
  if (spec.choice) throw Error(Code::kBadSpec, "trees is not for models that choose");
  if (spec.revisable.any()) throw Error(Code::kBadSpec, "trees is not for labels that can be corrected (revisable)");
  if (!loss || loss->outputs() > 1 || !(is_quadratic(loss_type(*spec.loss)) || loss->classes() == 2))
    throw Error(Code::kBadSpec, "trees needs a loss that is squared, or the logarithm of a probability of two classes");
  if (entry == nullptr || !entry->weighs_products)
    throw Error(Code::kBadSpec, "trees needs a learner that weighs them against what is linear: auto, for one");
}

}  // namespace

Model make_model(const ModelSpec& spec, const std::function<AnySet(AnySet)>& wrap) {
  AnySet set = make_set(Node(spec.set, "set"));
  if (wrap) set = wrap(std::move(set));
  LearnerSetting setting{.set = set, .initial = spec.initial, .standardised = spec.standardise};
  std::optional<AnyLoss> loss;
  if (spec.loss) {  // by its name, or as an object
    loss = make_loss(Node(*spec.loss, "loss"));
    setting.loss = loss_type(*spec.loss);
  }
  const LabelReader labels = make_label_reader(spec.loss, loss);
  if (loss) {
    setting.classes = loss->classes();
    if (spec.expiry) setting.otherwise = default_class(*spec.expiry, labels, *loss);
  }
  if (spec.lost) setting.lost = lost_labels(Node(*spec.lost, "lost"), labels, loss ? &*loss : nullptr);
  setting.row = {set.dimension() / static_cast<Index>(loss ? loss->outputs() : 1), spec.products * spec.products};
  if (spec.choice && spec.choice->crossed) setting.row.crossed = spec.products;
  setting.row.bends = Bends::width(spec.bends);
  if (spec.trees) check_trees(spec, loss);
  setting.row.trees = spec.trees;
  ModelParts parts{.set = set, .learner = make_learner(Node(spec.learner, "learner"), setting)};
  parts.loss = std::move(loss);
  parts.standardise = spec.standardise;
  parts.products = spec.products;
  parts.bends = spec.bends;
  parts.trees = spec.trees;
  parts.numbers = spec.numbers;
  if (spec.features) parts.encoder = make_encoder(Node(*spec.features, "features"));
  parts.labels = labels;
  parts.names = spec.names;
  parts.expiry = spec.expiry.value_or(Expiry{});
  parts.revisable = spec.revisable;
  parts.tracked = spec.tracked;
  parts.choice = spec.choice;
  parts.spec = spec.json();
  return Model(std::move(parts));
}

}  // namespace tarry
