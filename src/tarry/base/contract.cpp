#include "tarry/base/contract.h"

#include <string>
#include <string_view>

#include "tarry/base/error.h"

namespace tarry {

void contract_broken(const char* what, const std::source_location& where) {
  std::string_view file = where.file_name();  // as the compiler was given it: only its last part says anything here
  file = file.substr(file.find_last_of('/') + 1);
  throw Error(Code::kInternal, "a bug in Tarry: it must hold that " + std::string(what) + " (" + std::string(file) +
                                   ":" + std::to_string(where.line()) + ")");
}

}  // namespace tarry
