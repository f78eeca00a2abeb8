// Takes a text apart from its front: digits, and one of some characters. Once something does not fit, nothing does any
// more.
#pragma once

#include <string_view>

namespace tarry::data {

class Taking {
 public:
  explicit Taking(std::string_view text) : rest_(text) {}

  bool done() const { return fits_ && rest_.empty(); }
  bool fits() const { return fits_; }
  bool sees(std::string_view any) const { return !rest_.empty() && any.find(rest_[0]) != std::string_view::npos; }
  bool empty() const { return rest_.empty(); }
  // This letter, small or not.
  bool sees_either(char letter) const { return !rest_.empty() && (rest_[0] | 32) == (letter | 32); }
  // Of any alphabet: bytes above those of ASCII are parts of letters.
  bool sees_letter() const {
    if (rest_.empty()) return false;
    const auto byte = static_cast<unsigned char>(rest_[0]);
    return byte >= 0x80 || ((byte | 32) >= 'a' && (byte | 32) <= 'z');
  }
  void skip_spaces() {
    while (skip(" ")) {
    }
  }
  bool ends_with(char c) const { return rest_.ends_with(c); }
  void skip_rest() { rest_ = {}; }
  bool sees_digit() const { return !rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9'; }
  bool skip(std::string_view any) {
    if (!sees(any)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // A word, in capitals or not; false: something else comes, and it stays.
  bool skip_word(std::string_view word) {
    if (rest_.size() < word.size()) return false;
    const auto small = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    for (std::size_t i = 0; i < word.size(); ++i)
      if (small(rest_[i]) != small(word[i])) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void need(std::string_view any) { fits_ = skip(any) && fits_; }
  void refuse() { fits_ = false; }

  int digits(int count) {
    int number = 0;
    for (; count > 0; --count) {
      if (!sees_digit()) {
        fits_ = false;
        return 0;
      }
      number = 10 * number + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return number;
  }

  // At most `most`.
  int digits(int count, int most) {
    const int number = digits(count);
    fits_ = fits_ && number <= most;
    return number;
  }

  // One digit, or two.
  int one_or_two(int most) {
    const int first = digits(1);
    const int number = sees_digit() ? 10 * first + digits(1) : first;
    fits_ = fits_ && number <= most;
    return number;
  }

  double fraction() {  // of a second, its point already taken
    double sum = 0, unit = 0.1;
    fits_ = fits_ && sees_digit();
    for (; sees_digit(); unit /= 10) sum += unit * digits(1);
    return sum;
  }

 private:
  std::string_view rest_;
  bool fits_ = true;
};

}  // namespace tarry::data
