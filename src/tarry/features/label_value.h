// A label as it comes in, through whichever door: a cell, a JSON value, an object of Python.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace tarry {

// A number, true or false, or a text: the name of a class, or a word for one of the others.
struct LabelValue : std::variant<double, bool, std::string> {
  using Kinds = std::variant<double, bool, std::string>;
  using Kinds::Kinds;
  LabelValue(int number) : Kinds(static_cast<double>(number)) {}  // NOLINT(google-explicit-constructor)
};

// What a text says where labels are numbers: yes, y, true, t, positive and pos are true, no, n, false, f, negative and
// neg are false, in capitals or not; digits are a number. Any other text is itself.
LabelValue plain_label(std::string_view text);

// What a label is called as a class: a number by its digits, true and false by their words.
std::string class_name(const LabelValue& label);

}  // namespace tarry
