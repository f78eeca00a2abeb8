// Questions of a table, answered by the person at the terminal.
#pragma once

#include <string>
#include <vector>

#include "tarry/data/infer/questions.h"

namespace tarry::cli {

bool somebody_is_there();  // standard input and standard error are a terminal

// Asks one after the other; the answers as overrides. Empty: nobody answers any more.
std::vector<std::string> ask(const std::vector<data::Question>& questions);

}  // namespace tarry::cli
