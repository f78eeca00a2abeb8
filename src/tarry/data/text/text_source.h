// The text of a file, whether or not it is compressed.
#pragma once

#include <string>

#include "tarry/base/lines.h"

namespace tarry::lab {

// Reads the file from its beginning; gzip is recognised by its first bytes and unpacked, all members of it. Throws
// Error{kBadInput} for a file that cannot be opened; the source throws Error{kCorrupt} where gzip ends early, fails its
// checksum or is followed by something else. Every message begins with the path.
ByteSource open_text(const std::string& path);

}  // namespace tarry::lab
