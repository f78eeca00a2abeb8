// The items of one request with feedback, and what becomes of each: whoever finishes last answers.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tarry/service/counters.h"
#include "tarry/service/host.h"
#include "tarry/store/hosted_model.h"

namespace tarry::service {

struct FeedbackBatch {
  FeedbackBatch(FeedbackRequest request, Reply reply_with);

  std::vector<FeedbackItem> items;
  bool list;
  Reply reply;
  std::vector<std::string> answers;  // JSON, one for each item
  std::vector<int> statuses;
  std::vector<RefusedItem> refused;
  std::vector<std::pair<std::string, std::string>> headers;
  int list_status = 200;
  std::atomic<std::size_t> left = 1;  // parts of the work; the one that hands it out counts too

  void refuse(std::size_t i, const Refusal& refusal, const std::string& model = {});
  void done();
};

// The answer to feedback that was applied, or had been before; throws Refusal for the rest. Counts all of them.
std::string feedback_json(store::Fate fate, Round round, Counters& counters);

}  // namespace tarry::service
