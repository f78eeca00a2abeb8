// What the cells of a label say: numbers or classes, which spellings are one class, which word is yes, and which say
// that there is no label yet.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tarry/data/infer/late_labels.h"

namespace tarry::data {

// The words without those that mean the same.
struct LabelWords {
  std::vector<std::string> values;               // each as it was written first
  std::map<std::string, std::string> spellings;  // how else they are written: PAID → Paid
  std::vector<std::string> none;                 // beside yes and no: unknown, pending
};
LabelWords label_words(const std::vector<std::string>& cells);

// 0 and 1, −1 and 1, or words for yes and no.
bool are_two_classes(const std::vector<std::string>& values);

// Two different whole numbers that come again and again are two classes: 1 and 2.
bool are_two_numbers(const ColumnProfile& label);

// Of money in several currencies nobody can say which is more.
bool has_several_currencies(const ColumnProfile& column);

// What may stand for the other class of a word that is alone: unpaid, no, 0.
std::string opposite(const std::string& word);

// After how long a row without a time counts as another word than this, the only one that ever has one.
void ask_for_deadline(const std::string& word, const ColumnProfile& label, const std::string& feedback,
                      Questions& questions);

// One word, or too many.
[[noreturn]] void refuse_words(const ColumnProfile& label, const Questions& questions);

// What labels are, from the different ones among them.
struct LabelKind {
  std::string loss;                          // its name
  std::optional<std::string> positive = {};  // of two words, the one that is +1
  std::vector<std::string> classes = {};     // of several words: these
};
// 0 and 1, −1 and 1, yes and no are two classes, however they are written; `numbers`: all of them are numbers;
// `column`: the label's name, which may say which of two words is +1; `all_classes`: they are classes, whatever they
// look like.
LabelKind kind_of_labels(std::vector<std::string> values, bool numbers, const LossNames& usual,
                         const std::string& column = {}, bool all_classes = false);

}  // namespace tarry::data
