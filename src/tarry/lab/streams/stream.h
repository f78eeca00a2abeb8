// What a learner meets, round by round: losses over the raw decision, rows of features with a label, or travellers.
// Streams are constant once made, so that many runs can read one at the same time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tarry/data/formats/dataset.h"
#include "tarry/data/formats/ratings.h"
#include "tarry/lab/streams/raw_stream.h"
#include "tarry/losses/loss.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

using data::Dataset;
using data::RatingSpace;

class Travel;

// When a round's features are known to the learner.
enum class Known : std::uint8_t {
  kAtPlay,      // it predicts
  kAtFeedback,  // it decides first: portfolios
};

// How long labels were waited for, in seconds: those that came at all.
struct Waits {
  double half = 0;         // half of them no longer than this
  double nine_in_ten = 0;  // nine in ten
  double longest = 0;
};

// The same of the labels of one class.
struct ClassWaits {
  std::string name;
  std::size_t labels = 0;  // that came
  Waits waits;
};

struct Stream {
  std::string name;
  Index dimension = 0;
  Round rounds = 0;  // 0: as many as are asked for
  // Where it is known for every decision, a bound on the gradients, less the curvature's part where the losses are raw:
  // that is on ‖b_t‖. 0: not known.
  double gradient_bound = 0;
  std::optional<RawStream> raw;         // losses over the raw decision …
  std::shared_ptr<const Dataset> data;  // … or rows of data, with
  std::optional<AnyLoss> loss;
  std::string loss_name;  // decides which metrics are kept
  spec::Value loss_spec;  // what the model's loss is made from
  Known known = Known::kAtPlay;
  std::shared_ptr<const RatingSpace> ratings;  // where the rows are ratings
  std::shared_ptr<const Travel> routing;       // … or travellers on roads: raw, data and loss are empty then
  std::optional<Waits> waits;                  // where the data has times, and their unit is known
  std::vector<ClassWaits> by_class;            // where labels are a few classes, and `waits` are known
  std::vector<std::string> read_as;            // what is to be known of the data, in lines for people; mostly empty
};

// Whether its rows have names, for models that take names.
inline bool has_names(const Stream& stream) { return stream.data && (stream.ratings || !stream.data->named.empty()); }

// How the data of a stream was read, where that was inferred.
struct Reading {
  std::string stream;
  std::vector<std::string> lines;
  std::vector<ClassWaits> by_class = {};
};

struct StreamEntry {
  std::string name;
  std::string summary;
  std::vector<spec::Key> keys;
  // `rounds`: how many the experiment asks for (synthetic streams make as many); `seed` draws what is random.
  Stream (*make)(const spec::Node& node, Round rounds, std::uint64_t seed);
  bool seeded;  // whether the seed changes anything: files are read once for all seeds
  std::vector<std::string> examples;
  std::vector<std::string> also = {};  // names that it once had, which are read for ever
};

std::span<const StreamEntry> stream_registry();
const StreamEntry* find_stream_entry(const std::string& type);  // null: there is none
const StreamEntry& stream_entry(const spec::Node& node);        // the entry that `type` names
Stream make_stream(const spec::Node& node, Round rounds, std::uint64_t seed);

}  // namespace tarry::lab
