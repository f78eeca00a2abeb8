#include "tarry/oracles/lp_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

#include "tarry/base/error.h"

namespace tarry::oracles {
namespace {

struct Token {
  enum Kind { kEnd, kNumber, kName, kSense, kSign, kColon } kind;
  std::string text;  // a sense is one of < = >
  double number = 0;
  int line = 0;
};

class Tokens {
 public:
  Tokens(std::string_view text, const std::string& name) : text_(text), name_(name) {
    while (next_.empty() || next_.back().kind != Token::kEnd) next_.push_back(scan());
  }
  const Token& peek(std::size_t ahead = 0) const { return next_[std::min(at_ + ahead, next_.size() - 1)]; }
  Token take() {
    Token token = peek();
    if (at_ + 1 < next_.size()) ++at_;
    return token;
  }
  [[noreturn]] void fail(const std::string& wanted) const {
    const Token& token = peek();
    const std::string came = token.kind == Token::kEnd ? "the end of the file" : "\"" + token.text + "\"";
    throw Error(Code::kBadInput, fmt::format("{}: line {}: {} wanted ({} came)", name_, token.line, wanted, came));
  }
  const std::string& name() const { return name_; }

 private:
  Token scan() {
    skip_blanks();
    if (text_.empty()) return {Token::kEnd, "", 0, line_};
    const char c = text_.front();
    if (c == '+' || c == '-') return cut(Token::kSign, 1);
    if (c == ':') return cut(Token::kColon, 1);
    if (c == '<' || c == '>' || c == '=') {
      const bool two = text_.size() > 1 && (text_[1] == '=' || (c == '=' && (text_[1] == '<' || text_[1] == '>')));
      Token sense = cut(Token::kSense, two ? 2 : 1);
      sense.text = sense.text.find('<') != std::string::npos   ? "<"
                   : sense.text.find('>') != std::string::npos ? ">"
                                                               : "=";
      return sense;
    }
    if ((c >= '0' && c <= '9') || c == '.') {
      double value = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
      if (error != std::errc{} || !(std::fabs(value) <= 1e100))
        throw Error(Code::kBadInput, fmt::format("{}: line {}: a number of at most 1e100 wanted", name_, line_));
      Token number = cut(Token::kNumber, static_cast<std::size_t>(end - text_.data()));
      number.number = value;
      return number;
    }
    std::size_t length = 0;
    while (length < text_.size() && std::string_view(" \t\r\n+-:<>=\\").find(text_[length]) == std::string_view::npos)
      ++length;
    return length == 0 ? throw Error(Code::kBadInput, fmt::format("{}: line {}: a name wanted", name_, line_))
                       : cut(Token::kName, length);
  }
  void skip_blanks() {
    while (!text_.empty()) {
      const char c = text_.front();
      if (c == '\\')
        text_.remove_prefix(std::min(text_.size(), text_.find('\n')));
      else if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
        line_ += c == '\n' ? 1 : 0;
        text_.remove_prefix(1);
      } else
        return;
    }
  }
  Token cut(Token::Kind kind, std::size_t length) {
    Token token{kind, std::string(text_.substr(0, length)), 0, line_};
    text_.remove_prefix(length);
    return token;
  }

  std::string_view text_;
  std::string name_;
  int line_ = 1;
  std::vector<Token> next_;
  std::size_t at_ = 0;
};

std::string lower_case(std::string text) {
  for (char& c : text)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return text;
}

enum class Section { kNone, kObjective, kRows, kBounds, kIntegers, kEnd };

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& name) : tokens_(text, name) {}

  LinearProgram read() {
    if (take_section() != Section::kObjective) tokens_.fail("Minimize or Maximize");
    skip_label();
    if (section() == Section::kNone) expression();
    if (take_section() != Section::kRows) tokens_.fail("Subject To");
    while (section() == Section::kNone && tokens_.peek().kind != Token::kEnd) row();
    for (Section next = take_section(); next != Section::kEnd; next = take_section()) {
      if (next == Section::kIntegers)
        throw Error(Code::kUnsupported,
                    fmt::format("{}: line {}: integer variables, and only linear programs can be a set", tokens_.name(),
                                tokens_.peek().line));
      if (next != Section::kBounds) tokens_.fail("Bounds or End");
      while (section() == Section::kNone && tokens_.peek().kind != Token::kEnd) bound();
    }
    return std::move(program_);
  }

 private:
  // The section that the next words open; kNone when they open none. `words` is how many they are.
  Section section(std::size_t* words = nullptr) const {
    static const std::map<std::string, Section> kOne = {{"minimize", Section::kObjective},
                                                        {"maximize", Section::kObjective},
                                                        {"minimise", Section::kObjective},
                                                        {"maximise", Section::kObjective},
                                                        {"minimum", Section::kObjective},
                                                        {"maximum", Section::kObjective},
                                                        {"min", Section::kObjective},
                                                        {"max", Section::kObjective},
                                                        {"st", Section::kRows},
                                                        {"s.t.", Section::kRows},
                                                        {"st.", Section::kRows},
                                                        {"bounds", Section::kBounds},
                                                        {"bound", Section::kBounds},
                                                        {"end", Section::kEnd},
                                                        {"general", Section::kIntegers},
                                                        {"generals", Section::kIntegers},
                                                        {"gen", Section::kIntegers},
                                                        {"integer", Section::kIntegers},
                                                        {"integers", Section::kIntegers},
                                                        {"int", Section::kIntegers},
                                                        {"binary", Section::kIntegers},
                                                        {"binaries", Section::kIntegers},
                                                        {"bin", Section::kIntegers}};
    if (words != nullptr) *words = 1;
    if (tokens_.peek().kind != Token::kName || tokens_.peek(1).kind == Token::kColon) return Section::kNone;
    const std::string first = lower_case(tokens_.peek().text), second = lower_case(tokens_.peek(1).text);
    if ((first == "subject" && second == "to") || (first == "such" && second == "that")) {
      if (words != nullptr) *words = 2;
      return Section::kRows;
    }
    const auto found = kOne.find(first);
    return found == kOne.end() ? Section::kNone : found->second;
  }
  Section take_section() {
    std::size_t words = 0;
    const Section found = section(&words);
    if (found == Section::kNone) return found;
    while (words-- > 0) tokens_.take();
    return found;
  }
  void skip_label() {
    if (tokens_.peek().kind != Token::kName || tokens_.peek(1).kind != Token::kColon) return;
    tokens_.take();
    tokens_.take();
  }

  Index column(const std::string& name) {
    const auto [place, is_new] = columns_.try_emplace(name, static_cast<Index>(columns_.size()));
    if (is_new) {
      program_.lower.push_back(0);
      program_.upper.push_back(kUnbounded);
    }
    return place->second;
  }

  // A number with its sign, infinite ones included; nothing when there is no number.
  std::optional<double> number() {
    const bool is_signed = tokens_.peek().kind == Token::kSign;
    const Token& after = tokens_.peek(is_signed ? 1 : 0);
    const std::string word = lower_case(after.text);
    const bool infinite = after.kind == Token::kName && (word == "inf" || word == "infinity");
    if (after.kind != Token::kNumber && !infinite) return std::nullopt;
    const double sign = is_signed && tokens_.take().text == "-" ? -1 : 1;
    return sign * (infinite ? (tokens_.take(), kUnbounded) : tokens_.take().number);
  }
  double needed_number() {
    const auto found = number();
    if (!found) tokens_.fail("a number");
    return *found;
  }

  // ± number name ± …, as long as it goes on; a column named twice has the sum.
  std::map<Index, double> expression() {
    std::map<Index, double> terms;
    do {
      double sign = 1;
      while (tokens_.peek().kind == Token::kSign) sign *= tokens_.take().text == "-" ? -1 : 1;
      const double factor = tokens_.peek().kind == Token::kNumber ? tokens_.take().number : 1;
      if (tokens_.peek().kind != Token::kName || section() != Section::kNone) tokens_.fail("a variable");
      terms[column(tokens_.take().text)] += sign * factor;
    } while (tokens_.peek().kind == Token::kSign);
    return terms;
  }

  // Whether there is a number here with a sense behind it: the left end of a range.
  bool range_begins() const {
    const bool is_signed = tokens_.peek().kind == Token::kSign;
    return tokens_.peek(is_signed ? 2 : 1).kind == Token::kSense;
  }
  static void tighten(double& lower, double& upper, const std::string& sense, double value) {
    if (sense != "<") lower = value;
    if (sense != ">") upper = value;
  }
  static std::string turned(const std::string& sense) { return sense == "<" ? ">" : sense == ">" ? "<" : "="; }

  void row() {
    skip_label();
    double lower = -kUnbounded, upper = kUnbounded;
    const bool ranged = range_begins() && tokens_.peek().kind != Token::kName;
    if (ranged) {
      const double value = needed_number();
      tighten(lower, upper, turned(tokens_.take().text), value);
    }
    const std::map<Index, double> terms = expression();
    if (tokens_.peek().kind == Token::kSense) {
      const std::string sense = tokens_.take().text;
      tighten(lower, upper, sense, needed_number());
    } else if (!ranged) {
      tokens_.fail("<=, >= or =");
    }
    const auto i = static_cast<Index>(program_.rows());
    for (const auto& [col, value] : terms)
      if (value != 0) program_.entries.push_back({i, col, value});
    program_.row_lower.push_back(lower);
    program_.row_upper.push_back(upper);
  }

  Index known_column() {
    const auto found = columns_.find(tokens_.peek().text);
    if (tokens_.peek().kind != Token::kName || found == columns_.end()) tokens_.fail("a variable of the rows");
    tokens_.take();
    return found->second;
  }

  void bound() {
    std::optional<double> left;
    std::string sense;
    if ((left = number())) {
      if (tokens_.peek().kind != Token::kSense) tokens_.fail("<=, >= or =");
      sense = turned(tokens_.take().text);
    }
    const auto j = static_cast<std::size_t>(known_column());
    double &lower = program_.lower[j], &upper = program_.upper[j];
    if (left) tighten(lower, upper, sense, *left);
    if (tokens_.peek().kind == Token::kSense) {
      const std::string right = tokens_.take().text;
      tighten(lower, upper, right, needed_number());
    } else if (!left) {
      if (tokens_.peek().kind != Token::kName || lower_case(tokens_.peek().text) != "free")
        tokens_.fail("a bound or free");
      tokens_.take();
      lower = -kUnbounded;
      upper = kUnbounded;
    }
  }

  Tokens tokens_;
  LinearProgram program_;
  std::map<std::string, Index> columns_;
};

}  // namespace

LinearProgram read_lp_format(std::string_view text, const std::string& name) { return LpReader(text, name).read(); }

}  // namespace tarry::oracles
