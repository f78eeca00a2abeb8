#include "tarry/spec/node.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tarry/spec/nearest.h"

namespace tarry::spec {
namespace {

bool is_whole(double x) { return x == std::floor(x) && std::fabs(x) <= 0x1p53; }

std::string own_type(const Value& value, std::string fallback) {
  const Value* type = value.find("type");
  if (type == nullptr) return fallback;
  const auto* name = std::get_if<std::string>(&type->as);
  return name == nullptr ? fallback : *name;
}

}  // namespace

Node::Node(const Value& value, std::string owner)
    : value_(&value), owner_(own_type(value, std::move(owner))), known_(std::make_shared<std::vector<std::string>>()) {}

std::string Node::place() const { return value_->line > 0 ? fmt::format("line {}: ", value_->line) : ""; }

void Node::fail(const std::string& requirement) const {
  if (key_.empty())
    throw Error(Code::kBadSpec, fmt::format("{}{} must be {} ({})", place(), owner_, requirement, brief(*value_)));
  throw Error(Code::kBadSpec,
              fmt::format("{}{}: {} must be {} ({} = {})", place(), owner_, key_, requirement, key_, brief(*value_)));
}

void Node::fail_whole(const std::string& message, Code code) const {
  throw Error(code, fmt::format("{}{}: {}", place(), owner_, message));
}

void Node::rethrow_with_line(const Error& error) const {
  const std::string message = error.what();
  throw Error(error.code(), message.starts_with("line ") ? message : place() + message);
}

double Node::number() const {
  double x = 0;
  if (const auto* i = std::get_if<std::int64_t>(&value_->as))
    x = static_cast<double>(*i);
  else if (const auto* d = std::get_if<double>(&value_->as))
    x = *d;
  else
    fail("a number");
  if (!std::isfinite(x)) fail("a finite number");
  if (std::fabs(x) > kLargest) fail("at most 1e100 in size");
  return x;
}

std::optional<Index> Node::whole() const {
  if (const auto* i = std::get_if<std::int64_t>(&value_->as)) return *i;
  if (const auto* d = std::get_if<double>(&value_->as); d != nullptr && is_whole(*d)) return static_cast<Index>(*d);
  return std::nullopt;
}

Index Node::integer() const {
  if (const auto x = whole()) return *x;
  fail("a whole number");
}

bool Node::flag() const {
  if (const auto* b = std::get_if<bool>(&value_->as)) return *b;
  fail("true or false");
}

const std::string& Node::text() const {
  if (const auto* s = std::get_if<std::string>(&value_->as)) return *s;
  fail("a text");
}

std::vector<double> Node::numbers() const {
  const auto* xs = std::get_if<Numbers>(&value_->as);
  if (xs == nullptr) fail("an array of numbers");
  for (std::size_t i = 0; i < xs->size(); ++i)
    if (!(std::fabs((*xs)[i]) <= kLargest))
      fail(fmt::format("an array of finite numbers of at most 1e100 in size, but entry {} is {}", i, (*xs)[i]));
  return *xs;
}

std::vector<Index> Node::integers() const {
  std::vector<Index> whole;
  for (double x : numbers()) {
    if (!is_whole(x)) fail("an array of whole numbers");
    whole.push_back(static_cast<Index>(x));
  }
  return whole;
}

std::vector<Node> Node::list(const std::string& wanted) const {
  std::vector<Node> nodes;
  if (const auto* xs = std::get_if<Numbers>(&value_->as); xs != nullptr && xs->empty()) return nodes;
  const auto* values = std::get_if<Array>(&value_->as);
  if (values == nullptr) fail(wanted);
  for (std::size_t i = 0; i < values->size(); ++i) {
    nodes.emplace_back((*values)[i], owner_);
    nodes.back().key_ = fmt::format("{}[{}]", key_, i);
  }
  return nodes;
}

bool Node::is_number() const {
  return std::holds_alternative<std::int64_t>(value_->as) || std::holds_alternative<double>(value_->as);
}

bool Node::is_text() const { return std::holds_alternative<std::string>(value_->as); }

bool Node::is_object() const { return std::holds_alternative<Object>(value_->as); }

const Object& Node::members() const {
  const auto* object = std::get_if<Object>(&value_->as);
  if (object == nullptr) fail("an object with named keys");
  return *object;
}

bool Node::has(const std::string& key) const { return find(key).has_value(); }

std::optional<Node> Node::find(const std::string& key) const {
  members();
  if (std::find(known_->begin(), known_->end(), key) == known_->end()) known_->push_back(key);
  const Value* member = value_->find(key);
  if (member == nullptr) return std::nullopt;
  Node node(*member, owner_);
  node.key_ = key;
  return node;
}

Node Node::at(const std::string& key, const std::string& wanted) const {
  if (auto member = find(key)) return *member;
  fail_whole(fmt::format("{} is missing (wanted {})", key, wanted));
}

void Node::refuse_unknown_keys() const {
  for (const auto& [name, value] : members()) {
    if (std::find(known_->begin(), known_->end(), name) != known_->end()) continue;
    const std::string line = value.line > 0 ? fmt::format("line {}: ", value.line) : "";
    throw Error(Code::kBadSpec,
                fmt::format("{}{}: unknown key {} (known keys: {}){}", line, owner_, to_json(Value{name}),
                            fmt::join(*known_, ", "), did_you_mean(name, *known_)));
  }
}

double Node::number_or(const std::string& key, double fallback) const { return has(key) ? number(key) : fallback; }

double Node::positive(const std::string& key) const {
  const Node member = at(key, "a positive number");
  const double x = member.number();
  if (!(x > 0)) member.fail("positive");
  return x;
}

double Node::positive_or(const std::string& key, double fallback) const { return has(key) ? positive(key) : fallback; }

Index Node::count(const std::string& key, Index low, Index high) const {
  const std::string wanted = fmt::format("a whole number from {} to {}", low, high);
  const Node member = at(key, wanted);
  const auto x = member.whole();
  if (!x || *x < low || *x > high) member.fail(wanted);
  return *x;
}

std::string Node::text_or(const std::string& key, const std::string& fallback) const {
  return has(key) ? text(key) : fallback;
}

void throw_unknown_type(const Node& node, const std::string& kind, const std::vector<std::string>& names) {
  const Node type = node.at("type", fmt::format("one of {}", fmt::join(names, ", ")));
  const std::string line = type.value().line > 0 ? fmt::format("line {}: ", type.value().line) : "";
  throw Error(Code::kBadSpec, fmt::format("{}unknown {} type {} (known types: {}){}", line, kind, brief(type.value()),
                                          fmt::join(names, ", "), did_you_mean(type.text(), names)));
}

}  // namespace tarry::spec
