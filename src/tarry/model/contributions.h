// What each feature adds to a prediction.
//
// A learner predicts ⟨row, x⟩, and its x is linear in what it is made of: `auto` plays the mean of its bases' weights,
// each base counting by how well it has predicted so far. So the prediction's score is a sum over the entries of the
// row, each times its own weight, and nothing is left over but rounding. The features are those that the learner sees:
// standardised ones add by how far they are from what is usual, and a feature that is as usual adds nothing.
#pragma once

#include <string>
#include <vector>

#include "tarry/linalg/covector.h"
#include "tarry/spec/value.h"

namespace tarry {

struct Contributions {
  struct Part {
    std::string name;  // `age`, `city=Paris`, `age × city=Paris`, `age²`, `(intercept)`
    double adds = 0;
  };
  // Of the one number that is predicted, or of a class.
  struct Output {
    std::string of_class = {};
    double base = 0;               // what is predicted of a row that says nothing: the mean of the labels, or 0
    double score = 0;              // base + Σ adds: a number in the labels' units, log-odds, or a class's score
    std::vector<Part> parts = {};  // those that add most come first
  };
  std::string score_is;    // "number", "log-odds", "margin", or of a class, before the softmax, "score"
  double prediction = 0;   // as it is shown: the number, the probability of true, or the place of the likeliest class
  Vec probabilities = {};  // of the classes that have a name
  std::vector<Output> outputs = {};
};

// {"score_is", "prediction", "outputs": [{"class", "base", "score", "parts": [{"name", "adds"}]}]}, at most `most`
// parts of each output; what the others add together is beside them as "rest".
spec::Value to_value(const Contributions& told, std::size_t most);

// The same as aligned lines for people.
std::string contributions_text(const Contributions& told, std::size_t most);

}  // namespace tarry
