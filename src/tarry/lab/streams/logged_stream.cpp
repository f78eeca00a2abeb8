// The stream `logged`: choices that somebody made, with their probabilities and rewards, by which policies are judged.
#include <filesystem>

#include "tarry/lab/logged/read_log.h"
#include "tarry/lab/streams/entries.h"

namespace tarry::lab {
namespace {

Stream read_logged(const spec::Node& node, Round, std::uint64_t) {
  auto log = std::make_shared<const Logged>(read_log(node));
  Stream stream;
  stream.name = std::filesystem::path(node.text("path")).filename();
  stream.rounds = log->choices.size();
  stream.read_as = log->read_as;
  stream.rule = std::move(log);
  return stream;
}

}  // namespace

StreamEntry logged_entry() {
  return {.name = "logged",
          .summary = "a log of choices with their probabilities and rewards, by which policies are judged",
          .keys = log_keys(),
          .make = read_logged,
          .seeded = false,
          .examples = {R"({"type": "logged", "path": "choices.csv"})",
                       R"({"type": "logged", "path": "choices.csv", "reward": "click", "reward_range": [0, 1]})"}};
}

}  // namespace tarry::lab
