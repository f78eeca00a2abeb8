// The program's commands. Each prints to `out` and throws Error for what it cannot do; main maps that to a status.
#pragma once

#include <string>
#include <vector>

#include "tarry/cli/queue_options.h"
#include "tarry/cli/terminal.h"

namespace tarry::cli {

struct ReplayOptions {
  std::string log;  // a path, or "-"
  bool summary = false;
  std::string load;  // a snapshot to continue from; empty: from the beginning
  std::string save;  // where to leave the model at the end; empty: nowhere
  bool hash = false;
};
void replay(const ReplayOptions& options, Output& out);

struct OracleOptions {
  std::string set;  // a path to a spec, or the spec itself
  std::string directions = "-";
};
void oracle(const OracleOptions& options, Output& out);

struct ExplainOptions {
  std::string spec;    // a path to a model's spec, the spec itself, or a task's name
  double horizon = 0;  // rounds to tell the bound for; 0: none
  double gradient_bound = 1;
  std::string row;  // of features, as JSON: what each adds to the prediction of a saved model; empty: none
  bool json = false;
};
void explain_spec(const ExplainOptions& options, Output& out);

struct VerifyOptions {
  bool quick = false;
  bool json = false;
  std::uint64_t climb = 0;  // games for each climb; 0: as many as suit
  std::string out;          // a folder for games that break a promise; empty: none
};
bool verify(const VerifyOptions& options, Output& out);  // false: something failed

struct RunOptions {
  std::string spec;
  std::string out;  // a folder; empty: runs/NAME
  int jobs = 0;
  std::vector<std::string> overrides;
  bool terminal = false;
  std::string beside;  // a rival to play on the same table: "lightgbm"; empty: none
  bool fresh = false;
  std::string shard;   // "2/4": the second of four parts; empty: all
  bool merge = false;  // run nothing, and make tables and report of what is kept
};
int run(const RunOptions& options, Output& out);  // an exit status

struct ReadOptions {
  std::string path;                    // a table
  std::vector<std::string> overrides;  // what its columns do not say
  bool json = false;
};
int read_table(const ReadOptions& options, Output& out);  // an exit status

struct InitOptions {
  std::string path = "experiment.toml";
  std::string csv;                     // a table to make it for; empty: an example
  std::vector<std::string> overrides;  // what its columns do not say
  bool force = false;
};
void init(const InitOptions& options, Output& out);

struct ServeOptions {
  std::string data;
  std::string listen = "127.0.0.1:8080";
  std::string tls_certificate, tls_key;  // PEM files
  bool without_tls = false;
  bool without_tokens = false;
  std::size_t most_body = std::size_t{8} << 20;
  std::size_t most_connections = 1024;
  std::size_t most_models = 1000;
  std::int64_t most_dimension = 10'000'000;
  std::uint64_t most_outstanding = 10'000'000;
  std::uint64_t most_memory = 0;  // 0: three quarters of what there is
  std::uint64_t snapshot_every = 100'000;
  std::size_t keep = 0;
  double expiry_hold_seconds = 3600;
  bool log_requests = false;
  bool without_watch = false;
  bool demo = false;         // without tokens
  QueueOptions queue;        // a gateway to Kafka where it names brokers
  double wait_seconds = 10;  // of a gateway, for an outcome
};
void serve(const ServeOptions& options, Output& out);  // until SIGTERM or SIGINT

struct TokenOptions {
  std::string data;
  std::string name;
  std::vector<std::string> scopes;
  std::string model;  // that it selects at Personalizer's addresses
};
void token_add(const TokenOptions& options, Output& out);
void token_list(const TokenOptions& options, Output& out);
void token_remove(const TokenOptions& options, Output& out);

struct StoreOptions {
  std::string data;          // a store's directory, or a copy of one
  std::string to;            // where a copy goes
  std::string model;         // its name
  std::string out;           // a file; empty: standard output
  std::string log;           // a history
  std::string state;         // a file with what a history goes on from
  bool quick = false;        // check the structure alone
  std::string key, ticket;   // a round's,
  std::uint64_t number = 0;  // or which one it is
};
void store_check(const StoreOptions& options, Output& out);
void store_dump(const StoreOptions& options, Output& out);
void store_round(const StoreOptions& options, Output& out);
void store_import(const StoreOptions& options, Output& out);
void store_backup(const StoreOptions& options, Output& out);
void store_restore(const StoreOptions& options, Output& out);
void store_compact(const StoreOptions& options, Output& out);

struct ReportOptions {
  std::string data;                 // a store's directory
  std::vector<std::string> models;  // none: all
  std::string from, to;             // dates; empty: by `days`, and until the service last ran
  double days = 7;
  std::string out = "report.html";
};
void report(const ReportOptions& options, Output& out);

void list_tasks(bool json, Output& out);
void list_delays(bool json, Output& out);
void list_streams(bool json, Output& out);
void list_losses(bool json, Output& out);
void list_sets(bool json, Output& out);
void list_learners(bool json, Output& out);

}  // namespace tarry::cli
