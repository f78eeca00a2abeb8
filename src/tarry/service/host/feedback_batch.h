// The items of one request with feedback, and what becomes of each: the last to finish answers.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "tarry/hosting/hosted_model.h"
#include "tarry/service/host/counters.h"
#include "tarry/service/host/host.h"

namespace tarry::service {

struct FeedbackBatch {
  FeedbackBatch(FeedbackRequest request, ReplyTo to);

  std::vector<FeedbackItem> items;
  hosting::FeedbackReplies replies;  // one for each item
  ReplyTo reply_to;
  std::atomic<std::size_t> left = 1;  // parts of the work; the one that hands it out counts too

  void reject(std::size_t i, Rejection rejection, const std::string& model = {}) {
    replies.items[i] = std::move(rejection).of(model);
  }
  void done();
};

// Feedback that was applied, or had been before; throws Rejection for the rest. Counts all of them.
hosting::Accepted accepted(hosting::Fate fate, Round round, Counters& counters);

}  // namespace tarry::service
