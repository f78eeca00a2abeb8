#include "tarry/data/text/text_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "tarry/base/error.h"
#include "tarry/data/text/short_number.h"
#include "tarry/data/text/text_source.h"
#include "tarry/spec/node.h"

namespace tarry::data {

void Place::fail(const std::string& message) const {
  throw Error(Code::kBadInput, fmt::format("{}: line {}: {}", file, line, message));
}

void Place::fail_cell(std::string_view column, const std::string& wanted, std::string_view cell) const {
  fail(fmt::format("{} must be {} ({} came)", column, wanted, spec::brief({std::string(cell)})));
}

double Place::number(std::string_view column, std::string_view cell, double divisor) const {
  double x = 0;
  if (!read_number(cell, x)) fail_cell(column, "a number", cell);
  if (!std::isfinite(x)) fail_cell(column, "a finite number", cell);
  if (divisor != 1) x /= divisor;
  if (!(std::fabs(x) <= spec::kLargest)) fail_cell(column, "at most 1e100 in size", cell);
  return x;
}

std::string_view trimmed(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\t'; };
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

bool read_number(std::string_view text, double& number) {
  if (read_short_number(text, number)) return true;
  text = trimmed(text);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);  // which from_chars refuses
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

TextLines::TextLines(const std::string& path)
    : TextLines(path, std::make_shared<SeenEncoding>(), std::make_shared<Taken>()) {}

TextLines::TextLines(const std::string& path, std::shared_ptr<SeenEncoding> seen, std::shared_ptr<Taken> taken)
    : TextLines(path, open_text(path, taken), std::move(seen)) {
  taken_ = std::move(taken);
}

TextLines::TextLines(const std::string& name, ByteSource source, std::shared_ptr<SeenEncoding> seen)
    : name_(name), seen_(seen), lines_(as_utf8(name, std::move(source), seen)) {}

TextLines TextLines::of_text(const std::string& name, std::string_view text) {
  if (text.starts_with("\x1F\x8B")) throw Error(Code::kBadInput, name + ": is packed with gzip: unpack it first");
  return {name,
          [rest = text](char* into, std::size_t room) mutable {
            const std::size_t taken = rest.copy(into, room);
            rest.remove_prefix(taken);
            return taken;
          },
          std::make_shared<SeenEncoding>()};
}

TextLines::TextLines(std::string name, ByteSource source) : name_(std::move(name)), lines_(std::move(source)) {}

bool TextLines::next(std::string_view& line) {
  try {
    if (!lines_.next(line)) return false;
  } catch (const Error& error) {  // a line that is too long; what the source says names the file already
    const std::string message = error.what();
    if (!message.starts_with("line ")) throw;
    throw Error(error.code(), fmt::format("{}: {}", name_, message));
  }
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

double TextLines::share() const {
  if (taken_ == nullptr || taken_->all == 0) return 0;
  return std::min(1.0, static_cast<double>(taken_->bytes) / static_cast<double>(taken_->all));
}

void TextLines::fail_whole(const std::string& message) const {
  throw Error(Code::kBadInput, fmt::format("{}: {}", name_, message));
}

}  // namespace tarry::data
