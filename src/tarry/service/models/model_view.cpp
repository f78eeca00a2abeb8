#include "tarry/service/models/model_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "tarry/model/curves.h"
#include "tarry/model/explain.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/waiting_view.h"
#include "tarry/service/host/challengers_json.h"
#include "tarry/service/models/model_row.h"
#include "tarry/spec/json.h"
#include "tarry/spec/value.h"

namespace tarry::service {
namespace {

constexpr std::size_t kShownEntries = 40;  // of a vector
constexpr std::size_t kShownSide = 16;     // of a matrix
constexpr std::size_t kShownWeights = 50, kShownRounds = 20, kShownCurves = 6;
constexpr Index kMostWritten = 1'000'000;  // a decision with more coordinates is not looked through

std::string text_under(const spec::Value& value, const std::string& key) {
  const spec::Value* found = value.find(key);
  const auto* text = found == nullptr ? nullptr : std::get_if<std::string>(&found->as);
  return text == nullptr ? std::string() : *text;
}

Index number_under(const spec::Value& value, const std::string& key) {
  const spec::Value* found = value.find(key);
  const auto* number = found == nullptr ? nullptr : std::get_if<std::int64_t>(&found->as);
  return number == nullptr ? 0 : static_cast<Index>(*number);
}

struct Shape {
  Index rows = 0, cols = 0;
};

// Of a set of matrices, or of a product that begins with one.
Shape matrix_shape(const spec::Value& set) {
  const std::string type = text_under(set, "type");
  if (type == "product") {
    const spec::Value* parts = set.find("parts");
    const auto* all = parts == nullptr ? nullptr : std::get_if<spec::Array>(&parts->as);
    return all == nullptr || all->empty() ? Shape{} : matrix_shape(all->front());
  }
  if (type == "nuclear_ball" || type == "schatten_ball") return {number_under(set, "rows"), number_under(set, "cols")};
  if (type == "spectrahedron" || type == "fantope")
    return {number_under(set, "dimension"), number_under(set, "dimension")};
  if (type == "birkhoff") return {number_under(set, "size"), number_under(set, "size")};
  return {};
}

// The rows (or columns) with the largest squares, in order.
std::vector<Index> strongest(const Vec& squares) {
  std::vector<Index> order(squares.size());
  std::iota(order.begin(), order.end(), Index{0});
  const std::size_t kept = std::min(kShownSide, order.size());
  std::partial_sort(
      order.begin(), order.begin() + static_cast<std::ptrdiff_t>(kept), order.end(),
      [&](Index a, Index b) { return squares[static_cast<std::size_t>(a)] > squares[static_cast<std::size_t>(b)]; });
  order.resize(kept);
  std::sort(order.begin(), order.end());
  return order;
}

// The first ones: of matrices that are too large to look through, they belong to the names that came first.
std::vector<Index> first_of(Index count) {
  std::vector<Index> order(static_cast<std::size_t>(std::min<Index>(count, kShownSide)));
  std::iota(order.begin(), order.end(), Index{0});
  return order;
}

void append_matrix(std::string& out, const Model& model, const Shape& shape) {
  std::vector<Index> rows = first_of(shape.rows), cols = first_of(shape.cols);
  if (model.set().dimension() <= 2 * kMostWritten && shape.rows * shape.cols <= kMostWritten) {
    const Vec x = model.decision();
    Vec by_row(static_cast<std::size_t>(shape.rows)), by_col(static_cast<std::size_t>(shape.cols));
    for (std::size_t i = 0; i < by_row.size(); ++i) {
      for (std::size_t j = 0; j < by_col.size(); ++j) {
        const double entry = x[i * by_col.size() + j];
        by_row[i] += entry * entry;
        by_col[j] += entry * entry;
      }
    }
    rows = strongest(by_row);
    cols = strongest(by_col);
  }
  Vec values;
  const double one = 1;
  for (const Index i : rows) {
    for (const Index j : cols) {
      const Index at = i * shape.cols + j;
      values.push_back(model.learner().predict_linear(Covector::sparse({&at, 1}, {&one, 1})));
    }
  }
  fmt::format_to(std::back_inserter(out),
                 R"({{"kind":"matrix","rows":{},"cols":{},"shown_rows":[{}],"shown_cols":[{}],"values":)", shape.rows,
                 shape.cols, fmt::join(rows, ","), fmt::join(cols, ","));
  spec::append_json(out, values);
  out += "}";
}

// All of a short vector, or the largest entries of a long one.
void append_vector(std::string& out, const Model& model, bool flow) {
  const Vec x = model.decision();
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!flow && order.size() > kShownEntries) {
    std::partial_sort(order.begin(), order.begin() + kShownEntries, order.end(),
                      [&](std::size_t a, std::size_t b) { return std::fabs(x[a]) > std::fabs(x[b]); });
    order.resize(kShownEntries);
  }
  if (flow) std::erase_if(order, [&](std::size_t i) { return x[i] == 0; });
  Vec values;
  for (const std::size_t i : order) values.push_back(x[i]);
  fmt::format_to(std::back_inserter(out), R"({{"kind":"{}","dimension":{},"indices":[{}],"values":)",
                 flow ? "flow" : "vector", x.size(), fmt::join(order, ","));
  spec::append_json(out, values);
  if (!model.names().empty()) {
    out += ",\"names\":[";
    for (const std::size_t i : order) {
      if (out.back() != '[') out += ",";
      spec::append_json(out, model.names()[i]);
    }
    out += "]";
  }
  out += "}";
}

// Null where the decision is weights of features: those are shown by name.
void append_decision(std::string& out, const Model& model, const spec::Value& set) {
  if (model.ledger().issued() == 0) {
    out += "null";  // nothing was decided yet
  } else if (const Shape shape = matrix_shape(set); shape.rows > 0 && shape.cols > 0) {
    append_matrix(out, model, shape);
  } else if (!model.loss() && model.set().dimension() <= kMostWritten) {
    append_vector(out, model, text_under(set, "type") == "flow");
  } else {
    out += "null";
  }
}

void append_weights(std::string& out, const Model& model) {
  out += "[";
  if (model.loss()) {
    for (const Model::Weight& weight : model.weights(kShownWeights)) {
      out += out.back() == '[' ? "{\"name\":" : ",{\"name\":";
      spec::append_json(out, weight.name);
      out += ",\"weight\":";
      spec::append_json(out, weight.weight);
      if (!weight.of_class.empty()) {
        out += ",\"of_class\":";
        spec::append_json(out, weight.of_class);
      }
      out += "}";
    }
  }
  out += "]";
}

void append_waiting(std::string& out, const hosting::HostedModel& hosted) {
  out += "[";
  for (const auto& [round, since] : hosted.longest_waiting(kShownRounds)) {
    fmt::format_to(std::back_inserter(out), "{}{{\"round\":{},\"since\":{}", out.back() == '[' ? "" : ",", round,
                   since);
    if (const std::string* key = hosted.model().keys().key_of(round)) {
      out += ",\"key\":";
      spec::append_json(out, *key);
    }
    out += "}";
  }
  out += "]";
}

// What is known about waiting, and since the service was started also how long labels took by the clock.
void append_waits(std::string& out, Served& served) {
  const WaitingView view = waiting_view(served.model->model());
  spec::Value told = to_value(view);
  spec::Array classes;
  {
    const std::lock_guard lock(served.watched.mutex);
    const std::vector<DelayTimes>& delays = served.watched.by_class;
    for (std::size_t c = 0; c < delays.size() && c < view.classes.size(); ++c)
      classes.push_back({spec::Object{{"class", spec::Value{view.classes[c]}},
                                      {"labels", spec::Value{static_cast<std::int64_t>(delays[c].answers())}},
                                      {"half", spec::Value{delays[c].half_ms() / 1000}}}});
  }
  std::get<spec::Object>(told.as).emplace_back("seconds", spec::Value{classes});
  out += spec::to_json(told);
}

void append_quality(std::string& out, Served& served, std::int64_t now_ms) {
  const Model& model = served.model->model();
  const bool watched = model.loss() && served.watched.watched;
  const std::lock_guard lock(served.watched.mutex);
  out += ",\"quality\":";
  if (watched)
    served.watched.quality.append(out, now_ms, said_beside(served.watched, model, now_ms));
  else
    out += "null";
  out += ",\"drift\":";
  if (watched)
    served.watched.drift.append(out);
  else
    out += "null";
}

// An example of what a decision may be asked with; null: no features are wanted.
std::string example_features(const Model& model, const spec::Value& spec) {
  if (!model.loss()) return "null";
  if (model.features().takes_names()) {
    const spec::Value* features = spec.find("features");
    const bool ratings = features != nullptr && text_under(*features, "type") == "ratings";
    return ratings ? R"({"user":"ann","item":"book"})" : R"({"hour":17,"city":"Paris"})";
  }
  const Index dimension = model.features().dimension();
  if (dimension > 16) return R"({"indices":[0],"values":[1]})";
  std::string out;
  spec::append_json(out, Vec(static_cast<std::size_t>(dimension), 1.0));
  return out;
}

std::string explanation_json(const ModelSpec& spec) {
  const Explanation explained = explain(spec);
  std::string out = fmt::format("{{\"fingerprint\":\"{}\"", explained.fingerprint);
  if (explained.set) {
    out += fmt::format(",\"dimension\":{},\"diameter\":", explained.set->dimension);
    spec::append_json(out, explained.set->diameter);
    out += explained.set->can_project ? ",\"projection\":true" : ",\"projection\":false";
  }
  if (explained.learners) out += fmt::format(",\"learners\":{}", *explained.learners);
  if (explained.update) {
    out += ",\"an_update\":";
    spec::append_json(out, *explained.update);
  }
  if (explained.waiting)
    out += fmt::format(R"(,"a_waiting_round":"{} bytes with {} features, {} numbers of memo among them")",
                       explained.waiting->bytes, explained.waiting->features, explained.waiting->memo);
  return out + "}";
}

}  // namespace

std::string model_view_json(Served& served, std::int64_t now_ms) {
  const Model& model = served.model->model();
  const spec::Value spec = spec::parse_json(model.spec());
  if (served.explained.empty()) served.explained = explanation_json(ModelSpec::parse(model.spec()));
  std::string explained = served.explained;
  if (const std::string told = served.names.told(); !told.empty()) {
    explained.back() = ',';
    explained += "\"new_names\":";
    spec::append_json(explained, told);
    explained += "}";
  }
  const Ledger& ledger = model.ledger();
  std::string out = "{";
  append_row(out, served, now_ms);
  fmt::format_to(std::back_inserter(out),
                 R"(,"incarnation":{},"position":{},"settled":{},"voided":{},"dimension":{},"spec":{},"explained":{})",
                 served.model->incarnation(), served.model->position(), ledger.settled(), ledger.voided(),
                 model.set().dimension(), model.spec(), explained);
  fmt::format_to(std::back_inserter(out), R"(,"features":{},"feedback":"{}","decision":)",
                 example_features(model, spec), model.loss() ? "label" : "gradient");
  const spec::Value* set = spec.find("set");
  append_decision(out, model, set == nullptr ? spec : *set);
  out += ",\"weights\":";
  append_weights(out, model);
  out += ",\"curves\":" + spec::to_json(to_value(model.curves(kShownCurves)));
  out += ",\"oldest_rounds\":";
  append_waiting(out, *served.model);
  out += ",\"waiting\":";
  append_waits(out, served);
  append_quality(out, served, now_ms);
  out += ",\"challengers\":" + challengers_json(challengers_of(*served.model, served.watched, now_ms));
  if (model.comparison().any()) out += ",\"compared\":" + spec::to_json(to_value(model.comparison().figures()));
  if (model.apprentice().any()) out += ",\"apprentice\":" + spec::to_json(to_value(model.apprentice().figures()));
  return out + "}";
}

std::string model_quality_json(Served& served, std::int64_t now_ms) {
  std::string out = "{\"model\":\"" + served.name + "\"";
  append_quality(out, served, now_ms);
  return out + "}";
}

}  // namespace tarry::service
