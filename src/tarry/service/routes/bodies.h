// The bodies of requests, read. Everything here throws Rejection: malformed for what has the wrong form, unusable for
// numbers that no model can use.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tarry/service/host/host.h"
#include "tarry/service/http/http.h"

namespace tarry::service {

spec::Value read_body(const Request& request);
std::string read_promote(const Request& request);  // the challenger's name

// {"features"?, "key"?} or {"requests": […]}, and the header Idempotency-Key.
DecideRequest read_decide(const Request& request, const ServiceLimits& limits);
// The same with {"context"?, "actions"?, "exclude"?, "shown"?, "key"?, "due"?}.
DecideRequest read_choose(const Request& request, const ServiceLimits& limits);

// {"features"} or {"requests": […]}
PredictRequest read_predict(const Request& request, const ServiceLimits& limits);

// ?key=…, ?ticket=…, ?round=… or ?alarm=…
RoundsRequest read_rounds(const Request& request, const Host& host);

// One item or an array of them. An item that is wrong says so itself.
FeedbackRequest read_feedback(const Request& request, const Host& host);

}  // namespace tarry::service
