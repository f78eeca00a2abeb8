// The typed reader of specifications. A set, learner, loss or delay reads its own keys through a Node; every
// complaint names who asked, the key, what was wanted and what came.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/spec/value.h"

namespace tarry::spec {

using Index = std::int64_t;

inline constexpr Index kMaxDimension = Index{1} << 40;
inline constexpr double kLargest = 1e100;  // numbers beyond it would overflow once squared and summed

// One key of a registered type: what `tarry sets` and `tarry learners` show.
struct Key {
  std::string name;
  std::string wanted;    // "a positive number"
  std::string fallback;  // "" when the key must be given, "optional", or the default
};

// A Node only looks: the Value that it was made from, and with it every Node made from this one, must stay alive and
// unchanged. Readers copy what they keep.
class Node {
 public:
  // `owner` names the reader in messages until the object's own `type` does.
  Node(const Value& value, std::string owner);

  // ---- this value itself
  double number() const;  // finite, at most kLargest in size
  Index integer() const;
  bool flag() const;
  const std::string& text() const;
  std::vector<double> numbers() const;  // an array of numbers
  std::vector<Index> integers() const;
  std::vector<Node> list(const std::string& wanted = "an array") const;
  bool is_number() const;
  bool is_text() const;
  bool is_object() const;
  const Value& value() const { return *value_; }
  const std::string& owner() const { return owner_; }

  // ---- members of an object; asking for a key makes it a known one
  bool has(const std::string& key) const;
  Node at(const std::string& key, const std::string& wanted = "a value") const;
  std::optional<Node> find(const std::string& key) const;
  std::string type() const { return text("type"); }
  void refuse_unknown_keys() const;

  // ---- members with their usual conditions
  double number(const std::string& key) const { return at(key, "a number").number(); }
  double number_or(const std::string& key, double fallback) const;
  double positive(const std::string& key) const;
  double positive_or(const std::string& key, double fallback) const;
  Index dimension(const std::string& key = "dimension") const { return count(key, 1, kMaxDimension); }
  Index count(const std::string& key, Index low, Index high) const;
  std::string text(const std::string& key) const { return at(key, "a text").text(); }
  std::string text_or(const std::string& key, const std::string& fallback) const;
  std::vector<double> numbers(const std::string& key) const { return at(key, "an array of numbers").numbers(); }

  // "simplex: radius must be positive (radius = -2)", with the line in front where it is known.
  [[noreturn]] void fail(const std::string& requirement) const;
  // The same about the whole object: "delayed_ofw: give eta or horizon".
  [[noreturn]] void fail_whole(const std::string& message, Code code = Code::kBadSpec) const;
  // Adds this object's line to an error that was thrown while making what it describes.
  [[noreturn]] void rethrow_with_line(const Error& error) const;

 private:
  std::string place() const;
  std::optional<Index> whole() const;
  const Object& members() const;

  const Value* value_;
  std::string owner_;
  std::string key_;
  std::shared_ptr<std::vector<std::string>> known_;
};

// Throws "unknown set type …", or says that the type is missing or no text.
[[noreturn]] void throw_unknown_type(const Node& node, const std::string& kind, const std::vector<std::string>& names);

}  // namespace tarry::spec
