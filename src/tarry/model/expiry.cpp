#include "tarry/model/expiry.h"

#include "tarry/model/codec.h"

namespace tarry {

Expiry Expiry::read(const spec::Node& node) {
  Expiry expiry;
  if (node.has("rounds") == node.has("seconds")) node.fail_whole("give either rounds or seconds");
  if (node.has("rounds")) expiry.rounds = static_cast<Round>(node.count("rounds", 1, Index{1} << 53));
  if (node.has("seconds")) expiry.seconds = node.positive("seconds");
  if (const auto then = node.find("then")) {
    if (then->is_object()) {
      expiry.then_label = read_label(then->at("label", "a label"));
      then->refuse_unknown_keys();
    } else if (!then->is_text() || then->text() != "drop") {
      then->fail("\"drop\" or {\"label\": …}");
    }
  }
  node.refuse_unknown_keys();
  return expiry;
}

spec::Value Expiry::to_value() const {
  spec::Object object;
  if (rounds > 0) object.emplace_back("rounds", spec::Value{static_cast<std::int64_t>(rounds)});
  if (seconds > 0) object.emplace_back("seconds", spec::Value{seconds});
  object.emplace_back("then", then_label ? spec::Value{spec::Object{{"label", label_value(*then_label)}}}
                                         : spec::Value{std::string("drop")});
  return {object};
}

}  // namespace tarry
