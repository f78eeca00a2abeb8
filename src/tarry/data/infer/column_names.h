// What the name of a column says: when something happened, when its outcome was known, what to predict.
#pragma once

#include <string>
#include <vector>

namespace tarry::data {

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
// Words that outcomes often have: late, paid, churned, converted, duration … It only orders what is asked for.
bool sounds_like_a_label(const std::string& name);

bool is_id_name(const std::string& name);    // order_id, LocationID, case, key, uuid
bool is_row_count(const std::string& name);  // row, index, nr: it counts the rows, where it never repeats

// What is written down at the end: final_status, moves_final, closed_by, resolution_code; and counts of what happens in
// the meantime: n_events, reassignment_count.
bool is_known_later(const std::string& name);

// What may be a date, but neither the row's nor its label's: due_date, planned_start, expected_at are known before; so
// are birth_date, member_since and last_visit, which are older; updated_at and exported_at tell of the table itself.
bool is_planned(const std::string& name);
bool is_of_the_past(const std::string& name);
bool is_bookkeeping(const std::string& name);
bool has_word_of_versions(const std::string& name);   // version, build, release
bool is_amount_name(const std::string& name);         // price, amount_paid, total: never a time
bool sounds_like_a_feature(const std::string& name);  // country, device, price: not what anybody predicts by default

// Whether two names have a word in common, except for its ending: churned and churn_date, delivery_ok and delivered_at.
// Words of time do not count.
bool share_a_word(const std::string& a, const std::string& b);

// The unit that a name ends in, in seconds: pickup_s, submit_utc_ms, closed_min. 0: it says none.
double unit_in_name(const std::string& name);

}  // namespace tarry::data
