// The lines of a data file, and the complaints about them, which name the file and the line.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tarry/base/lines.h"
#include "tarry/data/text/encoding.h"
#include "tarry/data/text/text_source.h"

namespace tarry::data {

// A line of a file: "flights.csv: line 17: DepDelay must be a number ("abc" came)".
struct Place {
  std::string_view file;
  std::size_t line;

  [[noreturn]] void fail(const std::string& message) const;
  // … must be <wanted> ("<cell>" came)
  [[noreturn]] void fail_cell(std::string_view column, const std::string& wanted, std::string_view cell) const;
  // The number in a cell, divided: finite and at most 1e100 in size, or an error.
  double number(std::string_view column, std::string_view cell, double divisor = 1) const;
};

// A decimal number with nothing but spaces around it. It may be infinite or NaN.
bool read_number(std::string_view text, double& number);
std::string_view trimmed(std::string_view text);  // without spaces and tabs at its ends

class TextLines {
 public:
  explicit TextLines(const std::string& path);  // a file, possibly compressed, in any encoding that as_utf8 knows
  TextLines(std::string name, ByteSource source);
  // A text in memory, which must outlive it, in any of these encodings.
  static TextLines of_text(const std::string& name, std::string_view text);

  // The next line, without its line end (LF or CRLF) and without a byte order mark before the first.
  bool next(std::string_view& line);
  Place place() const { return {name_, lines_.number()}; }         // the last line
  const std::string& encoding() const { return seen_->name; }      // of what was read so far
  double share() const;                                            // of the file, about; 0: not known
  [[noreturn]] void fail_whole(const std::string& message) const;  // about the file: "flights.csv: is empty"

 private:
  TextLines(const std::string& path, std::shared_ptr<SeenEncoding> seen, std::shared_ptr<Taken> taken);
  TextLines(const std::string& name, ByteSource source, std::shared_ptr<SeenEncoding> seen);

  std::string name_;
  std::shared_ptr<SeenEncoding> seen_ = std::make_shared<SeenEncoding>();
  std::shared_ptr<const Taken> taken_ = nullptr;
  LineReader lines_;
};

}  // namespace tarry::data
