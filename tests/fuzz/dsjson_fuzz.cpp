// Any text as a log of choices in DSJSON: it is refused with a message, or each choice is one of its actions.
#include <cstdlib>

#include "rows.h"
#include "tarry/lab/logged/read_log.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace tarry;
  const std::string text(reinterpret_cast<const char*>(data), size);
  data::TextLines lines = data::text_lines("fuzz", text);
  try {
    const lab::Logged log = lab::read_dsjson_log(lines);
    if (log.data.rows() != log.choices.size()) std::abort();
    for (const lab::LoggedChoice& choice : log.choices) {
      const std::size_t actions = choice.actions->size();
      const bool known = choice.probabilities.empty() || choice.probabilities.size() == actions;
      if (choice.taken >= actions || !(choice.probability > 0 && choice.probability <= 1) || !known) std::abort();
    }
  } catch (const Error& error) {
    if (std::string(error.what()).find('\n') != std::string::npos) std::abort();
  }
  return 0;
}
