// A stream of the rows of a data set.
#pragma once

#include "tarry/data/formats/reader_options.h"
#include "tarry/lab/streams/stream.h"
#include "tarry/losses/registry.h"

namespace tarry::lab {

// A loss, its name and what it was made from.
struct NamedLoss {
  std::string name;
  AnyLoss loss;
  spec::Value spec;
};
NamedLoss named_loss(const spec::Node& node);  // the value of the key, not the object that has it
NamedLoss named_loss(const std::string& name);

// How readers of files turn labels into numbers: as models do. A class's is what the loss calls it.
data::AsLabel label_as(const AnyLoss& loss);

// Of so many seconds each; there is at least one.
Waits waits_among(Vec seconds);

// Its gradient bound holds for every decision; it is not known where the loss has no bounded slope.
Stream data_stream(Dataset data, const NamedLoss& loss, std::string name);

}  // namespace tarry::lab
