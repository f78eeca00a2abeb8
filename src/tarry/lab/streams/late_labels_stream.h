// The stream `late_labels`: a file of which nothing is said but where it lies.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tarry/data/infer/late_labels.h"
#include "tarry/lab/streams/stream.h"

namespace tarry::lab {

using data::LateLabels;
using data::LateLabelsKeys;

StreamEntry late_labels_entry();

LateLabelsKeys late_labels_keys(const spec::Node& node);

// Finds what the file's columns are: one pass. Throws as infer_late_labels does.
LateLabels found_in(const std::string& path, const LateLabelsKeys& keys, std::optional<char> delimiter = std::nullopt);

// While there is one, this thread looks through each file once: what it found in it is remembered.
class RememberFound {
 public:
  RememberFound();
  ~RememberFound();
  RememberFound(const RememberFound&) = delete;
  RememberFound& operator=(const RememberFound&) = delete;

 private:
  std::map<std::string, LateLabels> found_;
  std::map<std::string, LateLabels>* outer_;
};

}  // namespace tarry::lab
