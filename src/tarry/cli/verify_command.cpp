#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/progress.h"
#include "tarry/cli/table.h"
#include "tarry/lab/verify/verify.h"
#include "tarry/spec/value.h"

namespace tarry::cli {
namespace {

using lab::Verification;

std::string verdict(bool passed) { return passed ? "ok" : "FAILED"; }

// Regret over its bound. A bound of 0 is kept by no regret at all; without one, regrets only order themselves.
double share(const lab::BoundCheck& c) {
  if (!c.bound) return c.regret * 1e-300;
  return c.regret == 0 ? 0 : c.regret / *c.bound;
}

// The worst game of each learner on each set.
std::string bound_table(const Verification& result) {
  struct Worst {
    const lab::BoundCheck* check = nullptr;
    std::size_t games = 0, failed = 0;
  };
  std::vector<std::pair<std::string, std::string>> order;
  std::map<std::pair<std::string, std::string>, Worst> worst;
  for (const lab::BoundCheck& check : result.bounds) {
    const std::pair key{check.learner, check.set};
    Worst& row = worst[key];
    if (row.check == nullptr) order.push_back(key);
    if (row.check == nullptr || share(check) > share(*row.check)) row.check = &check;
    ++row.games;
    row.failed += check.passed() ? 0 : 1;
  }
  std::string out = fmt::format("Regret against bounds, T = {}: the worst of each learner's games on each set\n\n",
                                result.bounds.empty() ? 0 : result.bounds.front().rounds);
  out += padded("learner", 36) + padded("set", 14) +
         fmt::format("{:>6} {:>10} {:>10} {:>7}  ", "games", "regret", "bound", "ratio") + padded("in", 38) + "\n";
  for (const auto& key : order) {
    const Worst& row = worst[key];
    const lab::BoundCheck& c = *row.check;
    out += padded(c.learner, 36) + padded(c.set, 14) + fmt::format("{:>6} {:>10.2f} ", row.games, c.regret);
    out += c.bound ? fmt::format("{:>10.1f} {:>7.4f}  ", *c.bound, share(c)) : fmt::format("{:>10} {:>7}  ", "-", "-");
    out += padded(c.adversary + ", " + c.delay, 38) + verdict(row.failed == 0) + "\n";
  }
  return out;
}

// The worst game of each learner on each set in each form; those that promise nothing in one line.
std::string climb_table(const Verification& result) {
  std::string out =
      "An adversary that climbs: the game nearest to breaking what was promised, T ≤ 50, every prefix\n\n";
  out += padded("learner", 26) + padded("set", 19) + padded("game", 37) + padded("promise", 13) +
         fmt::format("{:>7} {:>10} {:>10} {:>8}\n", "games", "regret", "bound", "ratio");
  std::size_t silent = 0;
  for (const lab::ClimbCheck& c : result.climbs) {
    if (!c.worst.promised() && c.passed()) {
      ++silent;
      continue;
    }
    out += padded(c.learner, 26) + padded(c.set, 19) + padded(c.game, 37) + padded(c.promise, 13) +
           fmt::format("{:>7} {:>10.3g} {:>10.3g} {:>8.3g}  {}\n", c.games, c.worst.regret, c.worst.bound,
                       c.worst.ratio, verdict(c.passed()));
  }
  return out + fmt::format("\n{} more rows in which nothing was promised\n", silent);
}

std::string answer_table(const Verification& result) {
  std::string out = "Instances with a known answer\n\n";
  out += padded("instance", 44) + padded("learner", 30) +
         fmt::format("{:>11} {:>11} {:>9}\n", "measured", "exact", "allowed");
  for (const auto& c : result.answers)
    out += padded(c.instance, 44) + padded(c.learner, 30) +
           fmt::format("{:>11.3f} {:>11.3f} {:>9.3f}  {}\n", c.measured, c.exact, c.tolerance,
                       c.must_differ ? (c.passed() ? "ok, caught" : "FAILED: not caught") : verdict(c.passed()));
  return out;
}

std::string rate_table(const Verification& result) {
  std::string out = "Regret ~ T^exponent, fitted\n\n";
  out += padded("learner", 36) + padded("instance", 20) + fmt::format("{:>7} {:>7}\n", "fitted", "theory");
  for (const auto& c : result.rates)
    out += padded(c.learner, 36) + padded(c.instance, 20) +
           fmt::format("{:>7.3f} {}{:>6.3f}  {}\n", c.fitted, c.exact ? " " : "≤", c.theory, verdict(c.passed()));
  return out;
}

std::string pool_table(const Verification& result) {
  std::string out = fmt::format("Delayed OFW beside BOLD, l1 ball in 100 dimensions, T = {}\n\n",
                                result.pools.empty() ? 0 : result.pools.front().rounds);
  out += fmt::format("{:<14}{:<14}{:>10} {:>10} {:>14}\n", "learner", "delay", "regret", "copies", "state, bytes");
  for (const auto& c : result.pools)
    out +=
        fmt::format("{:<14}{:<14}{:>10.2f} {:>10} {:>14}\n", c.learner, c.delay, c.regret, c.instances, c.state_bytes);
  return out;
}

// One JSON object a check.
class JsonLines {
 public:
  JsonLines& begin(const char* section) {
    out_ += "{\"section\": \"" + std::string(section) + "\"";
    return *this;
  }
  JsonLines& text(const char* key, const std::string& value) {
    name(key);
    spec::append_json(out_, value);
    return *this;
  }
  JsonLines& number(const char* key, double value) {
    name(key);
    spec::append_json(out_, value);
    return *this;
  }
  JsonLines& raw(const char* key, const std::string& value) {
    name(key);
    out_ += value;
    return *this;
  }
  void end(bool passed) { raw("passed", passed ? "true" : "false").out_ += "}\n"; }
  const std::string& lines() const { return out_; }

 private:
  void name(const char* key) { fmt::format_to(std::back_inserter(out_), ", \"{}\": ", key); }
  std::string out_;
};

std::string as_json(const Verification& result) {
  JsonLines json;
  for (const auto& c : result.bounds) {
    json.begin("bounds")
        .text("learner", c.learner)
        .text("set", c.set)
        .text("delay", c.delay)
        .text("adversary", c.adversary);
    json.number("rounds", static_cast<double>(c.rounds)).number("regret", c.regret);
    if (c.bound) json.number("bound", *c.bound).number("ratio", share(c));
    json.raw("feasible", c.feasible ? "true" : "false").end(c.passed());
  }
  for (const auto& c : result.climbs) {
    json.begin("climbs")
        .text("learner", c.learner)
        .text("set", c.set)
        .text("game", c.game)
        .text("promise", c.promise)
        .number("games", static_cast<double>(c.games));
    if (c.worst.promised())
      json.number("rounds", static_cast<double>(c.worst.rounds))
          .number("regret", c.worst.regret)
          .number("bound", c.worst.bound)
          .number("ratio", c.worst.ratio);
    if (!c.log.empty()) json.text("log", c.log);
    json.end(c.passed());
  }
  for (const auto& c : result.answers)
    json.begin("answers")
        .text("instance", c.instance)
        .text("learner", c.learner)
        .number("measured", c.measured)
        .number("exact", c.exact)
        .number("allowed", c.tolerance)
        .end(c.passed());
  for (const auto& c : result.rates)
    json.begin("rates")
        .text("learner", c.learner)
        .text("instance", c.instance)
        .number("fitted", c.fitted)
        .number("theory", c.theory)
        .end(c.passed());
  for (const auto& c : result.pools)
    json.begin("pools")
        .text("learner", c.learner)
        .text("delay", c.delay)
        .number("rounds", static_cast<double>(c.rounds))
        .number("regret", c.regret)
        .number("instances", static_cast<double>(c.instances))
        .number("state_bytes", static_cast<double>(c.state_bytes))
        .end(true);
  return json.lines();
}

}  // namespace

// One file for each game that breaks a promise. The folder is made even where there is none.
void write_games(const Verification& result, const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) throw Error(Code::kIo, fmt::format("--out: {} cannot be made: {}", folder, failed.message()));
  std::size_t count = 0;
  for (const lab::ClimbCheck& c : result.climbs) {
    if (c.log.empty()) continue;
    const std::string path = fmt::format("{}/game-{}.jsonl", folder, ++count);
    std::ofstream file(path, std::ios::binary);
    file << c.log;
    file.close();
    if (!file) throw Error(Code::kIo, fmt::format("{} cannot be written", path));
  }
}

bool verify(const VerifyOptions& options, Output& out) {
  Verification result;
  {
    ProgressBar bar("verify");
    result = lab::verify({.quick = options.quick, .climb = options.climb},
                         [&](std::size_t done, std::size_t total) { bar.update(done, total); });
  }
  if (!options.out.empty()) write_games(result, options.out);
  if (options.json) {
    out.print(as_json(result));
    return result.passed();
  }
  out.print(bound_table(result) + "\n" + climb_table(result) + "\n" + answer_table(result) + "\n" + rate_table(result) +
            "\n" + pool_table(result));
  std::size_t failed = 0,
              checks = result.bounds.size() + result.climbs.size() + result.answers.size() + result.rates.size();
  for (const auto& c : result.bounds) failed += c.passed() ? 0 : 1;
  for (const auto& c : result.climbs) failed += c.passed() ? 0 : 1;
  for (const auto& c : result.answers) failed += c.passed() ? 0 : 1;
  for (const auto& c : result.rates) failed += c.passed() ? 0 : 1;
  out.print(fmt::format("\n{} checks, {} failed\n", checks, failed));
  return result.passed();
}

}  // namespace tarry::cli
