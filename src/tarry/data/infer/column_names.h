// What the name of a column says: when something happened, when its outcome was known, what to predict.
#pragma once

#include <string>
#include <vector>

namespace tarry::lab {

// "t_feedback", "feedbackTime" and "Feedback time (UTC)" are the words t feedback, feedback time, feedback time utc.
std::vector<std::string> words_of(const std::string& name);

// How well a name suits a role: 2 by the role's own word, 1 by one of the words that mean it, 0 not at all.
struct TimeName {
  bool time;  // has a word of time: time, date, at, t, …
  int event;
  int feedback;
};
TimeName time_name(const std::string& name);

bool is_label_name(const std::string& name);  // label, y, target, class, outcome, …

}  // namespace tarry::lab
