#include "tarry/service/personalizer/configuration.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <optional>

#include "tarry/base/error.h"
#include "tarry/hosting/rejection.h"
#include "tarry/spec/json.h"
#include "tarry/spec/node.h"

namespace tarry::service::personalizer {
namespace {

using hosting::Rejection;
using spec::Node;
using spec::Value;

struct Unit {
  char name;
  double seconds;
};
constexpr std::array<Unit, 2> kDays{{{'W', 604800}, {'D', 86400}}};
constexpr std::array<Unit, 3> kTimes{{{'H', 3600}, {'M', 60}, {'S', 1}}};

[[noreturn]] void no_counterpart(const std::string& key, const std::string& must, const Value& came) {
  throw Rejection(Rejection::kMalformed, "unsupported",
                  fmt::format("{} must be {} ({} came)", key, must, spec::brief(came)), key);
}

// Numbers and the letters behind them, in the order of the units; each at most once.
template <std::size_t N>
std::optional<double> sum_of(std::string_view text, const std::array<Unit, N>& units) {
  double sum = 0;
  std::size_t next = 0;
  while (!text.empty()) {
    if (text[0] < '0' || text[0] > '9') return std::nullopt;  // from_chars knows infinity, too
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
    if (error != std::errc() || end == text.data() + text.size()) return std::nullopt;
    while (next < N && units[next].name != *end) ++next;
    if (next == N) return std::nullopt;
    sum += number * units[next++].seconds;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  }
  return sum;
}

void check_absent_or(const Node& node, const std::string& key, bool fine, const std::string& must) {
  const auto found = node.find(key);
  if (found && !fine && !std::holds_alternative<std::monostate>(found->value().as))
    no_counterpart(key, must, found->value());
}

Value label_of(double reward) { return {spec::Object{{"label", Value{reward}}}}; }

}  // namespace

double read_duration(const std::string& text) {
  const auto fail = [&]() -> double {
    throw Error(Code::kBadInput,
                fmt::format("a duration must be as \"PT10M\" or \"P2D\" ({} came)", spec::to_json({text})));
  };
  if (text.size() < 3 || text[0] != 'P') return fail();
  const std::string_view all = std::string_view(text).substr(1);
  const auto time = all.find('T');
  const auto days = sum_of(all.substr(0, time), kDays);
  const bool has_time = time != std::string_view::npos;
  const auto rest = has_time ? sum_of(all.substr(time + 1), kTimes) : std::optional(0.0);
  if (!days || !rest || (has_time && time + 1 == all.size()) || !(*days + *rest > 0)) return fail();
  return *days + *rest;
}

std::string duration_text(double seconds) { return fmt::format("PT{}S", seconds); }

Value specification_of(const Value& configuration) {
  if (!std::holds_alternative<spec::Object>(configuration.as))
    throw Rejection(Rejection::kMalformed, "bad_input", "the body must be an object");
  try {
    const Node node(configuration, "configuration");
    spec::Object model{{"task", {std::string("choose")}}, {"reward", {std::string("number")}}};
    const double wait = read_duration(node.text("rewardWaitTime"));
    model.emplace_back("expiry",
                       Value{spec::Object{{"seconds", Value{wait}}, {"then", label_of(node.number("defaultReward"))}}});
    const std::string together = node.text_or("rewardAggregation", "earliest");
    if (together != "earliest" && together != "sum")
      no_counterpart("rewardAggregation", "\"earliest\" or \"sum\"", node.at("rewardAggregation").value());
    if (together == "sum") {
      model.emplace_back("labels", Value{together});
      model.emplace_back("revisable", Value{spec::Object{{"seconds", Value{wait}}}});
    }
    if (const auto share = node.find("explorationPercentage"))
      model.emplace_back("explore",
                         Value{spec::Object{{"type", {std::string("epsilon")}}, {"epsilon", share->value()}}});
    check_absent_or(node, "logRetentionDays", configuration.whole_at("logRetentionDays", 0) == -1,
                    "-1: the log is kept until the model is deleted");
    check_absent_or(node, "learningMode", configuration.text_at("learningMode") == "Online",
                    "\"Online\"; for another mode say `shown` at /v1/models/NAME/choices");
    check_absent_or(node, "logMirrorEnabled", !configuration.flag_at("logMirrorEnabled"), "false");
    check_absent_or(node, "isAutoOptimizationEnabled", !configuration.flag_at("isAutoOptimizationEnabled"), "false");
    return {std::move(model)};
  } catch (const Error& error) {
    throw Rejection(Rejection::kMalformed, "bad_input", error.what());
  }
}

std::string configuration_of(std::string_view spec_json) {
  const Value spec = spec::parse_json(spec_json);
  spec::Object out;
  if (const Value* expiry = spec.find("expiry"); expiry != nullptr && expiry->number_at("seconds") > 0) {
    out.emplace_back("rewardWaitTime", Value{duration_text(expiry->number_at("seconds"))});
    const Value* then = expiry->find("then");
    if (const Value* label = then == nullptr ? nullptr : then->find("label")) {
      const auto* flag = std::get_if<bool>(&label->as);
      out.emplace_back("defaultReward", flag != nullptr ? Value{*flag ? 1.0 : 0.0} : *label);
    }
  }
  const std::string labels = spec.text_at("labels");
  out.emplace_back("rewardAggregation", Value{labels.empty() || labels == "first" ? std::string("earliest") : labels});
  const Value* choose = spec.find("choose");
  const Value* explore = choose == nullptr ? nullptr : choose->find("explore");
  if (explore != nullptr && explore->text_at("type") == "epsilon")
    out.emplace_back("explorationPercentage", Value{explore->number_at("epsilon")});
  out.emplace_back("modelExportFrequency", Value{std::string("PT0S")});  // what is learnt is used at once
  out.emplace_back("logMirrorEnabled", Value{false});
  out.emplace_back("logRetentionDays", Value{std::int64_t{-1}});
  out.emplace_back("learningMode", Value{std::string("Online")});
  out.emplace_back("isAutoOptimizationEnabled", Value{false});
  return spec::to_json({std::move(out)});
}

}  // namespace tarry::service::personalizer
