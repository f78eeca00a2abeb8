// The one place where a host's replies and rejections become HTTP: statuses, headers and JSON.
#pragma once

#include "tarry/hosting/reply.h"
#include "tarry/service/http/http.h"

namespace tarry::service {

Response response_of(hosting::Reply reply);
Response response_of(const hosting::Rejection& rejection);

// Makes a reply into a response where it is given, and responds when it is sent.
hosting::ReplyTo reply_over(Respond respond);

}  // namespace tarry::service
