// What a model knows about waiting as `tarry explain` prints it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "tarry/model/waiting_view.h"

namespace tarry {

// Calls line(name, text) for each; those that go on have no name.
void waiting_lines(const WaitingView& view,
                   const std::function<void(std::string_view name, const std::string& text)>& line);

}  // namespace tarry
