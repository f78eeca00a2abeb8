// Errors as values: what a call throws, so that a test can state the whole message.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "tarry/base/error.h"

namespace tarry {

struct Thrown {
  Code code = Code::kInternal;
  std::string message = "nothing was thrown";
};

template <class Call>
Thrown thrown_by(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return {error.code(), error.what()};
  }
  return {};
}

#define EXPECT_ERROR(call, expected_code, expected_message)                    \
  do {                                                                         \
    const ::tarry::Thrown thrown = ::tarry::thrown_by([&] { call; });          \
    EXPECT_EQ(thrown.message, expected_message);                               \
    EXPECT_EQ(static_cast<int>(thrown.code), static_cast<int>(expected_code)); \
  } while (false)

}  // namespace tarry
