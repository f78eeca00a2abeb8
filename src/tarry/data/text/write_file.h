// Writes a file whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace tarry::data {

// To a name of its own first, then renamed. Throws Error{kIo}: what was there before still is.
void write_file(const std::filesystem::path& path, const std::string& text);

}  // namespace tarry::data
