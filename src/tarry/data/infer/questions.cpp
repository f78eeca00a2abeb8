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

void Questions::ask(const std::string& key, const std::string& what, const std::vector<std::string>& answers) {
  std::vector<std::string> lines;
  for (const std::string& answer : answers) lines.push_back(fmt::format("{} = {}", key, quoted(answer)));
  if (lines.empty()) lines.push_back(fmt::format("{} = \"…\"  # no column looks like it", key));
  ask_lines(key, what, std::move(lines));
}

void Questions::ask(const std::string& key, const std::string& what, const Columns& answers) {
  std::vector<std::string> names;
  for (const ColumnProfile* column : answers) names.push_back(column->name);
  ask(key, what, names);
}

void Questions::ask_lines(const std::string& key, const std::string& what, std::vector<std::string> lines) {
  if (lines.size() > kAnswers) lines.resize(kAnswers);
  questions_.push_back({key, what, std::move(lines)});
}

Override as_override(const std::string& line) {
  const std::size_t equals = line.find(" = ");
  std::string value = line.substr(equals + 3);
  if (const std::size_t comment = value.find("  #"); comment != std::string::npos) value.resize(comment);
  while (value.ends_with(' ')) value.pop_back();
  const bool text = value.size() >= 2 && value.front() == '"' && value.find('"', 1) == value.size() - 1;
  return {"stream." + line.substr(0, equals), text ? value.substr(1, value.size() - 2) : value};
}

std::string spoken(const std::vector<Question>& questions, const std::string& names) {
  std::vector<std::string> unclear;
  std::string lines;
  for (const Question& question : questions) {
    unclear.push_back(question.what);
    for (const std::string& line : question.lines) lines += "\n  " + line;
  }
  const bool one = questions.size() == 1;
  const auto [key, value] = as_override(questions.front().lines.front());
  return fmt::format(
      "it is not clear {}. Paste one line{} into [stream] of the file that tarry init --csv writes, or add --override "
      "{}='{}'{} (columns: {}):{}",
      fmt::join(unclear, ", nor "), one ? "" : " for each key", key, value, one ? "" : " and so on", names, lines);
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
