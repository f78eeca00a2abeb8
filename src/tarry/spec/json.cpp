#include "tarry/spec/json.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <new>

#include "tarry/base/error.h"

namespace tarry::spec {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMaxDepth = 100;  // nested brackets; a spec needs six

[[noreturn]] void refuse(const std::string& why) {
  throw Error(Code::kBadInput, fmt::format("not valid JSON ({})", why));
}

// The first word outside strings that JSON does not have: NaN, Infinity, None, a key without quotes.
std::string_view foreign_word(std::string_view text) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  constexpr std::size_t kLongestWord = 30;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') in_string = !in_string;
    if (in_string && c == '\\') ++i;
    const bool inside_number = i > 0 && ((text[i - 1] >= '0' && text[i - 1] <= '9') || text[i - 1] == '.');
    if (in_string || !is_letter(c) || inside_number) continue;
    std::size_t end = i;
    while (end < text.size() && is_letter(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    if (word != "true" && word != "false" && word != "null") return word.substr(0, kLongestWord);
    i = end - 1;
  }
  return {};
}

// Whole numbers of 2^64 and above with ".0" after them: simdjson reads those as doubles, and refuses the others.
std::string with_long_integers_as_reals(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr std::size_t kShortest = 19;  // digits of 2^63, which negative numbers do not reach
  std::string out;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size();) {
    if (in_string || !is_digit(text[i])) {
      if (text[i] == '"') in_string = !in_string;
      const std::size_t step = in_string && text[i] == '\\' && i + 1 < text.size() ? 2 : 1;
      out += text.substr(i, step);
      i += step;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && is_digit(text[end])) ++end;
    const bool fraction =
        i > 0 && (text[i - 1] == '.' || text[i - 1] == '+' || text[i - 1] == 'e' || text[i - 1] == 'E');
    const bool exponent = i > 1 && text[i - 1] == '-' && (text[i - 2] == 'e' || text[i - 2] == 'E');
    const bool goes_on = end < text.size() && (text[end] == '.' || text[end] == 'e' || text[end] == 'E');
    out += text.substr(i, end - i);
    if (end - i >= kShortest && !fraction && !exponent && !goes_on) out += ".0";
    i = end;
  }
  return out;
}

// simdjson says what is wrong in sentences that may end with a hint for programmers; the first clause is enough.
std::string reason(simdjson::error_code code, std::string_view text) {
  switch (code) {
    case simdjson::DEPTH_ERROR:
      return fmt::format("nested more than {} deep", kMaxDepth);
    case simdjson::EMPTY:
      return "nothing there";
    case simdjson::UTF8_ERROR:
      return "not valid UTF-8";
    case simdjson::CAPACITY:
      return "too long";
    case simdjson::UNCLOSED_STRING:
      return "a string is not closed";
    default:
      if (const std::string_view word = foreign_word(text); !word.empty())
        return fmt::format("{} is not a JSON value", word);
      if (code == simdjson::NUMBER_ERROR) return "a number is malformed or too large";
      return "a bracket, comma or quote is out of place";
  }
}

Value convert(dom::element element);

bool is_number(dom::element x) {
  const auto type = x.type();
  return type == dom::element_type::INT64 || type == dom::element_type::UINT64 || type == dom::element_type::DOUBLE;
}

double to_double(dom::element x) {
  switch (x.type()) {
    case dom::element_type::INT64:
      return static_cast<double>(x.get_int64().value_unsafe());
    case dom::element_type::UINT64:
      return static_cast<double>(x.get_uint64().value_unsafe());
    default:
      return x.get_double().value_unsafe();
  }
}

Value convert_array(dom::array array) {
  Numbers numbers;
  bool all_numbers = true;
  for (dom::element x : array) {
    all_numbers = all_numbers && is_number(x);
    if (!all_numbers) break;
    numbers.push_back(to_double(x));
  }
  if (all_numbers) return {std::move(numbers)};
  Array values;
  for (dom::element x : array) values.push_back(convert(x));
  return {std::move(values)};
}

Value convert_object(dom::object object) {
  Object members;
  members.reserve(object.size());
  for (dom::key_value_pair field : object) members.emplace_back(std::string(field.key), convert(field.value));
  std::vector<std::string_view> keys;
  keys.reserve(members.size());
  for (const auto& member : members) keys.push_back(member.first);
  std::sort(keys.begin(), keys.end());
  if (const auto twin = std::adjacent_find(keys.begin(), keys.end()); twin != keys.end())
    refuse(fmt::format("key {} is given twice", to_json(Value{std::string(*twin)})));
  return {std::move(members)};
}

Value convert(dom::element element) {
  switch (element.type()) {
    case dom::element_type::ARRAY:
      return convert_array(element.get_array().value_unsafe());
    case dom::element_type::OBJECT:
      return convert_object(element.get_object().value_unsafe());
    case dom::element_type::INT64:
      return {element.get_int64().value_unsafe()};
    case dom::element_type::UINT64:
    case dom::element_type::DOUBLE:
      return {to_double(element)};
    case dom::element_type::STRING:
      return {std::string(element.get_string().value_unsafe())};
    case dom::element_type::BOOL:
      return {element.get_bool().value_unsafe()};
    case dom::element_type::NULL_VALUE:
      break;
  }
  return {};
}

}  // namespace

struct JsonReader::Parser {
  dom::parser parser;

  // Short texts leave room for somewhat longer ones.
  simdjson::simdjson_result<dom::element> parse(std::string_view text) {
    constexpr std::size_t kShort = std::size_t{1} << 20;
    const std::size_t wanted = text.size() < kShort ? std::max<std::size_t>(2 * text.size(), 1024) : text.size();
    if (parser.capacity() < text.size() || parser.max_depth() != kMaxDepth)
      if (const auto code = parser.allocate(wanted, kMaxDepth)) return failed(code);
    const auto document = parser.parse(text.data(), text.size());
    if (document.error()) return failed(document.error());
    return document;
  }

  // Half of its buffers may be there: none is used again.
  simdjson::error_code failed(simdjson::error_code code) {
    if (code != simdjson::MEMALLOC) return code;
    parser = dom::parser();
    throw std::bad_alloc();
  }
};

JsonReader::JsonReader() : parser_(std::make_unique<Parser>()) {}
JsonReader::~JsonReader() = default;
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;

Value JsonReader::read(std::string_view text) {
  auto document = parser_->parse(text);
  if (!document.error()) return convert(document.value_unsafe());
  const auto code = document.error();
  if (const std::string rewritten = with_long_integers_as_reals(text); rewritten.size() > text.size())
    document = parser_->parse(rewritten);
  if (document.error()) refuse(reason(code, text));
  return convert(document.value_unsafe());
}

Value parse_json(std::string_view text) { return JsonReader().read(text); }

}  // namespace tarry::spec
