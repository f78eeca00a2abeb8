#include "tarry/model/history.h"

#include <fmt/format.h>

#include "tarry/base/error.h"
#include "tarry/model/codec.h"
#include "tarry/model/reply.h"
#include "tarry/model/snapshot.h"

namespace tarry {
namespace {

ModelSpec spec_in(const spec::Value& header) {
  const spec::Node node(header, "header");
  node.text("format");
  const ModelSpec spec = ModelSpec::read(node.at("model", "a model").value());
  node.refuse_unknown_keys();
  return spec;
}

}  // namespace

History::History(const spec::Value& header, std::optional<std::string_view> snapshot)
    : model_(snapshot ? load_snapshot(*snapshot, spec_in(header)) : make_model(spec_in(header))) {}

std::string History::line(std::string_view text) {
  const spec::Value value = json_.read(text);
  const Event event = read_event(spec::Node(value, "event"));
  return reply_json(model_, event, model_.apply(event));
}

std::string History::last_line() const {
  return fmt::format("{{\"rounds\": {}, \"outstanding\": {}, \"hash\": \"{}\"}}", model_.ledger().issued(),
                     model_.ledger().outstanding(), model_.hash());
}

}  // namespace tarry
