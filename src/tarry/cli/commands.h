// The program's commands. Each prints to `out` and throws Error for what it cannot do; main maps that to a status.
#pragma once

#include <string>

#include "tarry/cli/terminal.h"

namespace tarry::cli {

struct ReplayOptions {
  std::string log;  // a path, or "-"
  bool summary = false;
};
void replay(const ReplayOptions& options, Output& out);

struct OracleOptions {
  std::string set;  // a path to a spec, or the spec itself
  std::string directions = "-";
};
void oracle(const OracleOptions& options, Output& out);

struct VerifyOptions {
  bool quick = false;
  bool json = false;
};
bool verify(const VerifyOptions& options, Output& out);  // false: something failed

void list_sets(bool json, Output& out);
void list_learners(bool json, Output& out);

}  // namespace tarry::cli
