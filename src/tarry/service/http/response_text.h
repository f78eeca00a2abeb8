// An answer's head as bytes, and the one answer that needs no memory.
#pragma once

#include <string>
#include <string_view>

#include "tarry/service/http/http.h"

namespace tarry::service {

struct HeadForm {
  bool last = false;       // the connection ends with this answer
  bool in_pieces = false;  // the body comes in chunks
};

std::string head_text(const Response& response, HeadForm form);

// 507. Nothing here is allocated: it is for when nothing can be.
extern const std::string_view kOutOfMemoryAnswer;  // all of it, with its head
Response out_of_memory_response() noexcept;

}  // namespace tarry::service
