// Models made of tables: POST /v1/models?from=csv. What a table says is found by the given `ReadTable`; the
// model is played there, beside the log, and then made from its state, so that it is there with all its rows or not at
// all.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "tarry/service/http/http.h"
#include "tarry/service/lanes/lanes.h"
#include "tarry/service/models/service.h"

namespace tarry::service {

struct TableRead {
  spec::Value reading;        // as `tarry read --json` prints it, with the questions that are open
  std::string state = {};     // of the model, as a snapshot; empty: questions are open
  spec::Object figures = {};  // what the rows came to
};
// `keys`: what the query says of the table. Throws Error for a table or a key that is wrong, and anything once `stop`
// is set.
using ReadTable =
    std::function<TableRead(std::string_view table, const spec::Value& keys, const std::atomic<bool>& stop)>;

class TableModels {
 public:
  TableModels(Service& service, ReadTable read);
  ~TableModels() { stop(); }

  void make(const Request& request, const Respond& respond);  // throws Refusal
  void stop();                                                // what is being read is given up

 private:
  void make_now(const std::string& name, const std::string& table, const spec::Value& keys, const Respond& respond);

  Service& service_;
  ReadTable read_;
  std::atomic<bool> stop_ = false;
  Workers workers_{1};          // one table at a time
  std::shared_ptr<Lane> lane_;  // and one more may wait
};

}  // namespace tarry::service
