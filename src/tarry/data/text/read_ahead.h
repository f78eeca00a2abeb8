// Reads a text in a second thread, a few blocks ahead of its user: unpacking gzip takes about as long as reading the
// rows in it.
#pragma once

#include <memory>

#include "tarry/data/text/text_source.h"

namespace tarry::data {

// The same bytes as `source` gives, in pieces of any length; what it throws is thrown where it would have been.
// `source` counts what it takes of its file in `behind`, and `taken` is what of that belongs to the bytes that were
// handed out. The thread ends with the last copy of what is returned.
ByteSource read_ahead(ByteSource source, std::shared_ptr<const Taken> behind, std::shared_ptr<Taken> taken);

}  // namespace tarry::data
