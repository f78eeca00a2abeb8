// Snapshots of models with every registered learner, changed and sealed again: each is refused with Error, or loads and
// can be played on, saved, and loaded from that. What a round brings back may still turn out wrong when its feedback
// comes: that, too, is an Error.
#include <cstdlib>
#include <map>
#include <optional>
#include <tuple>

#include "edits.h"
#include "tarry/base/error.h"
#include "tarry/learners/registry.h"
#include "tarry/model/model_spec.h"
#include "tarry/model/snapshot.h"
#include "tarry/sets/registry.h"
#include "tarry/spec/json.h"

namespace {

using namespace tarry;

void expect(bool holds) {
  if (!holds) std::abort();
}

enum class Kind : std::uint8_t { kGradients, kLabels, kLateFeatures, kNamed, kClasses };
constexpr std::size_t kKinds = 5;

const std::vector<std::string>& learners() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> specs;
    for (const LearnerEntry& entry : learner_registry())
      specs.insert(specs.end(), entry.examples.begin(), entry.examples.end());
    specs.emplace_back(R"({"type": "delayed_ofw", "eta": 0.5, "batch": 3, "storage": "factored"})");
    specs.emplace_back(R"({"type": "delayed_ofw_sc", "beta": 0.7, "storage": "factored"})");
    specs.emplace_back(R"({"type": "delayed_ofw", "eta": 0.5, "storage": "dense"})");
    return specs;
  }();
  return all;
}

const std::vector<std::string>& sets() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> specs;
    for (const SetEntry& entry : set_registry())
      specs.insert(specs.end(), entry.examples.begin(), entry.examples.end());
    specs.emplace_back(R"({"type": "box", "dimension": 6, "lower": -1, "upper": 2})");
    return specs;
  }();
  return all;
}

Index dimension_of(const std::string& set) {
  const spec::Value value = spec::parse_json(set);
  return make_set(spec::Node(value, "set")).dimension();
}

std::string spec_of(Kind kind, const std::string& set, const std::string& learner, Index dimension) {
  std::string rest;
  const std::string slots = std::to_string(dimension);
  if (kind == Kind::kGradients) rest = R"("expiry": {"rounds": 4})";
  if (kind == Kind::kLabels) rest = R"("loss": "squared", "standardise": true, "expiry": {"rounds": 4})";
  if (kind == Kind::kLateFeatures) rest = R"("loss": "squared")";
  if (kind == Kind::kNamed)
    rest = R"("loss": "logistic", "standardise": true, "features": {"capacity": )" + slots +
           R"(, "interactions": "pairs"}, "expiry": {"rounds": 4, "then": {"label": false}})";
  if (kind == Kind::kClasses) rest = R"("loss": {"type": "softmax", "classes": 3, "names": []})";
  return R"({"set": )" + set + R"(, "learner": )" + learner + ", " + rest + "}";
}

Features features_of(Kind kind, Index dimension, int t) {
  if (kind == Kind::kNamed) return NamedFeatures{{"x", t - 1.5}, {"city", std::string(t % 2 == 0 ? "Oslo" : "Lima")}};
  const Index n = kind == Kind::kClasses ? dimension / 3 : dimension;
  if (t % 3 == 0) return SparseVector{{n - 1}, {0.25 * t + 1}};
  Vec x(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < x.size(); ++i)
    x[i] = 0.5 * static_cast<double>((i + static_cast<std::size_t>(t)) % 3) - 0.3;
  return x;
}

Event play_of(Kind kind, Index dimension, int t) {
  const std::string key = t % 2 == 0 ? "k" + std::to_string(t) : "";
  if (kind == Kind::kGradients || kind == Kind::kLateFeatures) return Play{.key = key};
  return Play{.features = features_of(kind, dimension, t), .key = key};
}

Event answer_of(Kind kind, Index dimension, Round round) {
  const int t = static_cast<int>(round % 5);
  if (kind == Kind::kGradients) return Gradient{round, features_of(kind, dimension, t)};
  if (kind == Kind::kLateFeatures) return Label{round, 0.5 * t, features_of(kind, dimension, t)};
  if (kind == Kind::kLabels) return Label{round, 3.0 * t};
  if (kind == Kind::kNamed) return Label{round, t % 2 == 0};
  return Label{round, std::string(t % 2 == 0 ? "a" : "b")};
}

struct Made {
  Kind kind;
  Index dimension;
  std::string snapshot;
  std::string state;
  std::size_t learner;  // where in the state it begins
};

// Late answers, a round given up, one void, and some that wait.
std::optional<Made> make(Kind kind, const std::string& set, const std::string& learner) {
  try {
    const Index dimension = dimension_of(set);
    Model model = make_model(ModelSpec::parse(spec_of(kind, set, learner, dimension)));
    for (int t = 1; t <= 7; ++t) {
      model.apply(play_of(kind, dimension, t));
      if (t % 3 == 2) model.apply(answer_of(kind, dimension, static_cast<Round>(t - 1)));
    }
    model.apply(Void{Round{5}});
    std::string snapshot = snapshot_bytes(model);
    ByteWriter state, learner_state = ByteWriter::counting();
    model.save(state);
    model.learner().save(learner_state);
    const std::size_t learner_at = state.size() - learner_state.size();
    return Made{kind, dimension, std::move(snapshot), state.take(), learner_at};
  } catch (const Error& error) {
    expect(error.code() != Code::kInternal);
    return std::nullopt;  // these do not go together
  }
}

// A learner and a kind of model, on the next set that goes with them; each is made once.
const std::optional<Made>& chosen(fuzz::Choices& choices) {
  static std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::optional<Made>> all;
  const std::size_t learner = choices.number(1) % learners().size(), kind = choices.number(1) % kKinds;
  const std::size_t first = choices.number(1) % sets().size();
  for (std::size_t tried = 0;; ++tried) {
    const std::size_t set = (first + tried) % sets().size();
    const auto [made, is_new] = all.try_emplace({learner, kind, set});
    if (is_new) made->second = make(static_cast<Kind>(kind), sets()[set], learners()[learner]);
    if (made->second || tried + 1 == sets().size()) return made->second;
  }
}

// The snapshot around another state.
std::string sealed(const Made& made, const std::string& state) {
  const std::size_t head = made.snapshot.size() - made.state.size() - 16;
  ByteWriter out;
  out.raw(std::string_view(made.snapshot).substr(0, head));
  out.raw(state);
  out.u64(state.size());
  out.u64(crc32c(out.bytes()));
  return out.take();
}

template <class F>
bool succeeds(F f) {
  try {
    f();
    return true;
  } catch (const Error& error) {
    expect(error.code() != Code::kInternal);
    expect(std::string_view(error.what()).find('\n') == std::string_view::npos);
    return false;
  }
}

void play_on(Model& model, const Made& made) {
  const auto apply = [&](const Event& event) { return succeeds([&] { model.apply(event); }); };
  for (int t = 8; t <= 10; ++t) apply(play_of(made.kind, made.dimension, t));
  for (const Round round : model.ledger().waiting(8)) apply(answer_of(made.kind, made.dimension, round));
  for (int t = 11; t <= 13; ++t) apply(play_of(made.kind, made.dimension, t));
  for (const Round round : model.ledger().waiting(2)) apply(Expire{round});
  for (const Round round : model.ledger().waiting(1)) apply(Void{round});
  succeeds([&] { model.decision(); });
  succeeds([&] { model.weights(5); });
  succeeds([&] { model.certificate(); });
  if (made.kind != Kind::kGradients)
    succeeds([&] { model.predict(FeaturesView(features_of(made.kind, made.dimension, 4))); });
  snapshot_bytes(model);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  fuzz::Choices choices(data, size);
  const std::optional<Made>& made = chosen(choices);
  if (!made) return 0;
  std::optional<Model> model;
  const std::size_t first = choices.number(1) % 2 == 0 ? 0 : made->learner;
  const std::string snapshot = sealed(*made, fuzz::edited(made->state, choices, first));
  if (!succeeds([&] { model = load_snapshot(snapshot); })) return 0;
  const std::string saved = snapshot_bytes(*model);
  expect(snapshot_bytes(load_snapshot(saved)) == saved);
  play_on(*model, *made);
  return 0;
}
