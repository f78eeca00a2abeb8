// The model that a table makes: read, and played with its true delays, as `tarry run` does for its model.tarry. For
// those who have the table in memory.
#pragma once

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tarry/data/infer/late_labels.h"
#include "tarry/model/model.h"

namespace tarry::lab {

struct TableModel {
  data::LateLabels found;      // how it was read; while questions are open, there is nothing else
  std::optional<Model> model;  // after the last row
  Round rows = 0;
  std::size_t labels = 0;                      // that were ever known
  double loss = 0;                             // the mean over these
  std::map<std::string, double> metrics = {};  // log_loss, accuracy and auc, or rmse and mae
};

// `keys`: of a stream `csv` whose columns are found, without its path; `name`: what messages call the table. Throws
// Error, and Interrupted once `stop` is set.
TableModel model_of_table(const std::string& name, std::string_view table, const spec::Value& keys,
                          const std::atomic<bool>& stop);

}  // namespace tarry::lab
