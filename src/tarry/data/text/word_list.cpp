#include "tarry/data/text/word_list.h"

#include <algorithm>

#include "tarry/data/text/text_lines.h"

namespace tarry::data {
namespace {

void add_once(std::vector<std::string>& words, std::string word) {
  if (!word.empty() && std::find(words.begin(), words.end(), word) == words.end()) words.push_back(std::move(word));
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Ä to ä, É to é: the letters of Latin-1, whose capitals are 0xC3 0x80 to 0x9E in UTF-8.
std::string in_lower_case(std::string_view word) {
  std::string small(word);
  for (std::size_t i = 0; i < small.size(); ++i) {
    const auto byte = static_cast<unsigned char>(small[i]);
    if (small[i] >= 'A' && small[i] <= 'Z') small[i] = static_cast<char>(small[i] - 'A' + 'a');
    const auto before = static_cast<unsigned char>(i > 0 ? small[i - 1] : 0);
    if (before == 0xC3 && byte >= 0x80 && byte <= 0x9E && byte != 0x97) small[i] = static_cast<char>(byte + 0x20);
  }
  return small;
}

}  // namespace

std::vector<std::string> words_of_text(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    while (at < text.size() && !is_letter(text[at])) ++at;
    const std::size_t begin = at;
    while (at < text.size() && is_letter(text[at])) ++at;
    add_once(words, in_lower_case(text.substr(begin, at - begin)));
  }
  return words;
}

std::vector<std::string> elements_of(std::string_view list, char between) {
  std::vector<std::string> elements;
  list = trimmed(list);
  if (list.size() >= 2 && ((list.front() == '[' && list.back() == ']') || (list.front() == '{' && list.back() == '}')))
    list = list.substr(1, list.size() - 2);
  while (true) {
    const std::size_t stop = std::min(list.find(between), list.size());
    std::string_view one = trimmed(list.substr(0, stop));
    if (one.size() >= 2 && (one.front() == '"' || one.front() == '\'') && one.back() == one.front())
      one = one.substr(1, one.size() - 2);
    add_once(elements, std::string(one));
    if (stop == list.size()) return elements;
    list = list.substr(stop + 1);
  }
}

}  // namespace tarry::data
