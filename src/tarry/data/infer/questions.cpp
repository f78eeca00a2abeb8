#include "tarry/data/infer/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "tarry/base/error.h"
#include "tarry/spec/json.h"

namespace tarry::data {
namespace {

constexpr std::size_t kAnswers = 3;
constexpr std::size_t kShown = 40;  // names in a list

}  // namespace

std::string quoted(const std::string& text) { return spec::to_json({text}); }

std::string listed(const std::vector<std::string>& names) {
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), kShown));
  const std::string shown = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return names.size() > kShown ? fmt::format("{}, and {} more", shown, names.size() - kShown) : shown;
}

bool is_listed(const std::vector<std::string>& ordered, const std::string& name) {
  return std::binary_search(ordered.begin(), ordered.end(), name);
}

void Questions::ask(const std::string& key, const std::string& what, std::vector<std::string> answers) {
  if (answers.size() > kAnswers) answers.resize(kAnswers);
  questions_.push_back({key, what, std::move(answers)});
}

void Questions::ask(const std::string& key, const std::string& what, const Columns& answers) {
  std::vector<std::string> names;
  for (const ColumnProfile* column : answers) names.push_back(column->name);
  ask(key, what, std::move(names));
}

void Questions::throw_if_any() const {
  if (questions_.empty()) return;
  std::vector<std::string> unclear;
  for (const Question& question : questions_) unclear.push_back(question.what);
  std::string lines;
  for (const Question& question : questions_) {
    for (const std::string& answer : question.answers)
      lines += fmt::format("\n  {} = {}", question.key, quoted(answer));
    if (question.answers.empty()) lines += fmt::format("\n  {} = \"…\"  # no column looks like it", question.key);
  }
  const bool one = questions_.size() == 1;
  const std::string example =
      questions_.front().answers.empty() ? "…" : fmt::format("'{}'", questions_.front().answers.front());
  fail(
      fmt::format("it is not clear {}. Paste one line{} into [stream], or add --override stream.{}={}{} (columns: "
                  "{}):{}",
                  fmt::join(unclear, ", nor "), one ? "" : " for each key", questions_.front().key, example,
                  one ? "" : " and so on", all_names(), lines));
}

void Questions::fail(const std::string& message) const {
  throw Error(Code::kBadInput, fmt::format("{}: {}", file_, message));
}

void Questions::fail(std::size_t line, const std::string& message) const { Place{file_, line}.fail(message); }

std::string Questions::all_names() const {
  std::vector<std::string> names;
  for (const ColumnProfile& column : profile_.columns) names.push_back(column.name);
  return listed(names);
}

}  // namespace tarry::data
