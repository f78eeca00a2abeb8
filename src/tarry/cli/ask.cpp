#include "tarry/cli/ask.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <iostream>

#include "tarry/cli/terminal.h"

namespace tarry::cli {
namespace {

// The line of TOML that an answer means: one by its number, or a value of the first line's key.
std::string line_of(const data::Question& question, const std::string& answer) {
  if (answer.empty()) return question.lines.front();
  std::size_t number = 0;
  const char* const end = answer.data() + answer.size();
  const auto [stop, error] = std::from_chars(answer.data(), end, number);
  if (error == std::errc() && stop == end && number >= 1 && number <= question.lines.size())
    return question.lines[number - 1];
  return fmt::format("{} = {}", question.key, data::quoted(answer));
}

}  // namespace

bool somebody_is_there() { return ::isatty(STDIN_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0; }

std::vector<std::string> ask(const std::vector<data::Question>& questions) {
  std::vector<std::string> overrides;
  std::string again;
  for (const data::Question& question : questions) {
    std::string text = fmt::format("it is not clear {}:\n", question.what);
    for (std::size_t i = 0; i < question.lines.size(); ++i) text += fmt::format("  {}  {}\n", i + 1, question.lines[i]);
    print_error(text + fmt::format("1 to {}, or another value for {} [1]: ", question.lines.size(), question.key));
    std::string answer;
    if (!std::getline(std::cin, answer)) return {};
    const data::Override said = data::as_override(line_of(question, answer));
    overrides.push_back(fmt::format("{}={}", said.key, said.value));
    again += fmt::format(" --override {}='{}'", said.key, said.value);
  }
  print_error(fmt::format("to say so at once the next time, add{}\n", again));
  return overrides;
}

}  // namespace tarry::cli
