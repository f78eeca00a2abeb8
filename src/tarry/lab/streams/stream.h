// What a learner meets, round by round: losses over the raw decision, a table of rows with labels, travellers, a log of
// choices, or contexts to choose in.
// Streams are constant once made, so that many runs can read one at the same time.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "tarry/data/formats/dataset.h"
#include "tarry/data/formats/ratings.h"
#include "tarry/data/infer/reading.h"
#include "tarry/lab/streams/raw_stream.h"
#include "tarry/losses/loss.h"
#include "tarry/spec/node.h"

namespace tarry::lab {

using data::Dataset;
using data::RatingSpace;

class Travel;
struct Choices;
struct Logged;

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

// The class whose labels come later, or sooner, than the others.
struct LateClass {
  std::string name;
  double half = 0, others = 0;  // within so many seconds half of its labels have come, and half of the others
};

// How many labels came after how long: counts[k] of those after edges[k] and up to edges[k + 1], in seconds.
struct WaitCounts {
  Vec edges, counts;
};

// What a table's columns were taken for, and what its labels are like.
struct ReadTable {
  std::vector<data::ColumnReading> columns = {};
  std::string label = {}, label_unit = {};  // the column
  std::string positive = {};                // what +1 is called, of two classes
  WaitCounts waits = {};
  std::optional<LateClass> late = std::nullopt;
};

// Rows with labels, and what predictions of them are judged by.
struct Table {
  std::shared_ptr<const Dataset> data;
  AnyLoss loss;
  std::string loss_name;       // decides which metrics are kept
  spec::Value loss_spec = {};  // what the model's loss is made from
  Known known = Known::kAtPlay;
  std::shared_ptr<const RatingSpace> ratings = nullptr;  // where the rows are ratings
  std::optional<Waits> waits = std::nullopt;             // where the data has times, and their unit is known

  // How many weights predict a row: a block for each class.
  Index weights() const { return data->dimension * static_cast<Index>(loss.outputs()); }
  // Whether its rows have names, for models that take names.
  bool has_names() const { return ratings || !data->named.empty(); }
};

struct Stream {
  std::string name;
  Index dimension = 0;
  Round rounds = 0;  // 0: as many as are asked for
  // Where it is known for every decision, a bound on the gradients, less the curvature's part where the losses are raw:
  // that is on ‖b_t‖. 0: not known.
  double gradient_bound = 0;
  std::vector<std::string> read_as;  // what is to be known of the data, in lines for people; mostly empty
  std::vector<ClassWaits> by_class;  // the same, where labels are a few classes, and it is known how long they take
  ReadTable read_table;              // the same of a table whose columns were found
  // What comes of a decision.
  std::variant<RawStream, Table, std::shared_ptr<const Travel>, std::shared_ptr<const Logged>,
               std::shared_ptr<const Choices>>
      rule;

  // What it is; null: something else.
  const RawStream* raw() const { return std::get_if<RawStream>(&rule); }
  const Table* table() const { return std::get_if<Table>(&rule); }
  std::shared_ptr<const Travel> travel() const { return shared<Travel>(); }
  std::shared_ptr<const Logged> logged() const { return shared<Logged>(); }
  std::shared_ptr<const Choices> choices() const { return shared<Choices>(); }

 private:
  template <class Rule>
  std::shared_ptr<const Rule> shared() const {
    const auto* found = std::get_if<std::shared_ptr<const Rule>>(&rule);
    return found != nullptr ? *found : nullptr;
  }
};

// How the data of a stream was read, where that was inferred.
struct Reading {
  std::string stream;
  std::vector<std::string> lines;
  std::vector<ClassWaits> by_class = {};
  ReadTable table = {};
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
