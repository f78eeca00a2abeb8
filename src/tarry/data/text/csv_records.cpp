#include "tarry/data/text/csv_records.h"

#include <algorithm>

namespace tarry::data {

bool CsvRecords::next(std::vector<std::string_view>& cells) {
  std::string_view line;
  do {
    if (!lines_->next(line)) return false;
  } while (line.empty());
  place_ = lines_->place();
  cells.clear();
  // Cells are short: one look at each byte is less than a search for each cell, and one for quotes before it.
  const char* begin = line.data();
  const char* const end = begin + line.size();
  for (const char* at = begin; at != end; ++at) {
    if (*at == delimiter_) {
      cells.emplace_back(begin, static_cast<std::size_t>(at - begin));
      begin = at + 1;
    } else if (*at == '"') {
      cells.clear();
      join_lines(line);
      split_quoted(cells);
      return true;
    }
  }
  cells.emplace_back(begin, static_cast<std::size_t>(end - begin));
  return true;
}

// A quote is still open where the number of quotes so far is odd: doubled ones do not change that.
void CsvRecords::join_lines(std::string_view first) {
  const auto odd_quotes = [](std::string_view text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; };
  record_ = first;
  bool open = odd_quotes(first);
  for (std::string_view line; open;) {
    if (!lines_->next(line)) place_.fail("a quote is never closed");
    record_ += '\n';
    record_ += line;
    if (record_.size() > kMaxLine) place_.fail("a cell in quotes is too long");
    open ^= odd_quotes(line);
  }
}

void CsvRecords::split_quoted(std::vector<std::string_view>& cells) {
  const std::string_view text = record_;
  unquoted_.clear();
  unquoted_.reserve(text.size());  // cells look into it: it must not move
  std::size_t at = 0;
  while (true) {
    const std::size_t begin = unquoted_.size();
    if (text.substr(at).starts_with("=\"")) ++at;  // ="00001", as spreadsheets keep the zeros
    if (at < text.size() && text[at] == '"') {
      for (++at; !(text[at] == '"' && (at + 1 == text.size() || text[at + 1] != '"')); ++at) {
        if (text[at] == '"') ++at;
        unquoted_ += text[at];
      }
      ++at;
      if (at < text.size() && text[at] != delimiter_) place_.fail("a cell goes on after its closing quote");
    } else {
      const std::size_t stop = std::min(text.find(delimiter_, at), text.size());
      unquoted_ += text.substr(at, stop - at);
      at = stop;
      if (unquoted_.find('"', begin) != std::string::npos) place_.fail("a quote stands inside a cell without quotes");
    }
    cells.push_back(std::string_view(unquoted_).substr(begin));
    if (at == text.size()) return;
    ++at;
  }
}

}  // namespace tarry::data
