// What a file does not decide by itself, asked all at once: for each key the likeliest answers, as lines to paste.
#pragma once

#include <string>
#include <vector>

#include "tarry/base/error.h"
#include "tarry/data/infer/csv_profile.h"

namespace tarry::data {

using Columns = std::vector<const ColumnProfile*>;

struct Question {
  std::string key, what;
  std::vector<std::string> lines;  // of TOML, the likeliest first: label = "paid"
};

// What is thrown where somebody has to answer first.
class OpenQuestions : public Error {
 public:
  OpenQuestions(const std::string& message, std::vector<Question> questions)
      : Error(Code::kBadInput, message), questions_(std::move(questions)) {}

  const std::vector<Question>& questions() const { return questions_; }

 private:
  std::vector<Question> questions_;
};

class Questions {
 public:
  Questions(const std::string& file, const CsvProfile& profile) : file_(file), profile_(profile) {}

  // `what` is not clear: "when the features were known"; the likeliest answers first; three are shown.
  void ask(const std::string& key, const std::string& what, const std::vector<std::string>& answers);
  void ask(const std::string& key, const std::string& what, const Columns& answers);
  void ask_lines(const std::string& key, const std::string& what, std::vector<std::string> lines);
  const std::vector<Question>& open() const { return questions_; }

  [[noreturn]] void fail(const std::string& message) const;                    // about the file
  [[noreturn]] void fail(std::size_t line, const std::string& message) const;  // about a line of it
  std::string all_names() const;  // of the columns, cut short where they are many

 private:
  const std::string& file_;
  const CsvProfile& profile_;
  std::vector<Question> questions_;
};

// The questions in words, with all their lines and the ways to answer them.
std::string spoken(const std::vector<Question>& questions, const std::string& names);
// What --override takes of a line: stream.label and paid.
struct Override {
  std::string key, value;
};
Override as_override(const std::string& line);

std::string quoted(const std::string& text);                // as TOML and JSON have it
std::string listed(const std::vector<std::string>& names);  // a, b, c, and 1,997 more
bool is_listed(const std::vector<std::string>& ordered, const std::string& name);

}  // namespace tarry::data
