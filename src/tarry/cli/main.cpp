// The program `tarry`: arguments in, exit status out. 0 done, 1 the run failed, 2 the input was wrong.
#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <new>
#include <stdexcept>
#include <string>

#include "tarry/base/arithmetic.h"
#include "tarry/base/error.h"
#include "tarry/base/version.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/queue_options.h"
#ifdef TARRY_HAS_ORACLES
#include "tarry/oracles/add_sets.h"
#endif

namespace {

using namespace tarry;

constexpr int kFailed = 1;

// Errors are one line, whatever was in them; lines to paste follow, each after two spaces.
int report(const std::string& message, int status) {
  std::string line = "tarry: " + message;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (static_cast<unsigned char>(line[i]) < 0x20 && line.compare(i, 3, "\n  ") != 0) line[i] = ' ';
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
  return status;
}

void may_repeat(CLI::Option* option) { option->take_all()->allow_extra_args(false); }

CLI::Option* add_brokers(CLI::App* command, cli::QueueOptions& o) {
  auto* brokers = command->add_option("--kafka", o.kafka, "brokers: host:port, with commas between");
  may_repeat(
      command->add_option("--kafka-setting", o.settings, "key=value for the client (librdkafka); may be repeated"));
  command->add_option("--prefix", o.prefix, "of the topics: PREFIX.events, PREFIX.decisions, PREFIX.snapshots")
      ->capture_default_str();
  return brokers;
}

// `tarry serve` as a gateway: what it needs, and what only a service with its own log can have.
void add_gateway(CLI::App* serve, cli::ServeOptions& o) {
  auto* brokers = add_brokers(serve, o.queue)
                      ->description("serve as a gateway to workers on Kafka; brokers: host:port, with commas between");
  serve->add_option("--group", o.queue.group, "of the workers, to show who owns a partition")->capture_default_str();
  serve
      ->add_option("--wait-seconds", o.wait_seconds,
                   "with --kafka: wait this long for a worker's answer, then answer 504")
      ->check(CLI::Range(0.1, 3600.0))
      ->capture_default_str();
  serve->add_flag("--unsafe-topics", o.queue.unsafe_topics, "work with topics that can lose acknowledged events");
  for (const char* own : {"--demo", "--keep", "--snapshot-every", "--max-models", "--max-outstanding", "--max-memory",
                          "--expiry-hold", "--without-watch"})
    serve->get_option(own)->excludes(brokers);
}

void add_serve(CLI::App& app, cli::Output& out) {
  static cli::ServeOptions o;
  auto* serve = app.add_subcommand("serve", "serve models over HTTP: decisions now, labels later, none lost");
  serve->add_option(
      "--data", o.data,
      "the directory for everything (optional with --demo, which then uses a temporary one); with --kafka "
      "only for the tickets' key and the tokens");
  serve->add_option("--listen", o.listen, "address and port; port 0: any that is free")->capture_default_str();
  serve->add_option("--tls-cert", o.tls_certificate, "a certificate (chain) in PEM, for https");
  serve->add_option("--tls-key", o.tls_key, "its key in PEM");
  serve->add_flag("--without-tls", o.without_tls,
                  "allow an address that others can reach, without TLS: a proxy in front has it");
  serve->add_flag("--without-tokens", o.without_tokens,
                  "need no token: every user of this machine may do everything; only on a loopback address");
  serve->add_option("--max-body", o.most_body, "bytes of a request's body")->capture_default_str();
  serve->add_option("--max-connections", o.most_connections, "connections at a time")->capture_default_str();
  serve->add_option("--max-models", o.most_models, "models")->capture_default_str();
  serve->add_option("--max-dimension", o.most_dimension, "coordinates of a model's decision")->capture_default_str();
  serve->add_option("--max-outstanding", o.most_outstanding, "rounds of a model that wait for feedback")
      ->capture_default_str();
  serve->add_option("--max-memory", o.most_memory,
                    "bytes of memory; beyond it decisions are refused (default: three quarters of the machine's)");
  serve->add_option("--snapshot-every", o.snapshot_every, "save the state after so many entries of the log")
      ->capture_default_str();
  serve
      ->add_option("--keep", o.keep,
                   "keep only so many snapshots, and the log since the oldest of them (default: keep everything)")
      ->check(CLI::Range(2, 1000000));
  serve
      ->add_option("--expiry-hold", o.expiry_hold_seconds,
                   "seconds for which no round is given up by time after the wall clock has jumped")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  serve->add_flag("--log-requests", o.log_requests, "a line in the log for each request");
  serve->add_flag("--without-watch", o.without_watch, "keep no curves, expected losses, calibration or drift");
  serve->add_flag("--demo", o.demo, "start with models whose labels come by themselves; implies --without-tokens");
  add_gateway(serve, o);
  serve->callback([&out] {
    if (o.data.empty() && !o.demo) throw CLI::RequiredError("--data");
    cli::serve(o, out);
  });
}

void add_token(CLI::App& app, cli::Output& out) {
  static cli::TokenOptions o;
  auto* token = app.add_subcommand("token", "manage who may use a service: tokens for its clients");
  token->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, void (*run)(const cli::TokenOptions&, cli::Output&)) {
    auto* command = token->add_subcommand(name, help);
    command->add_option("--data", o.data, "the service's directory")->required();
    command->callback([&out, run] { run(o, out); });
    return command;
  };
  auto* make = add("add", "make a token and print it; it is not shown again", cli::token_add);
  make->add_option("name", o.name, "what to call it")->required();
  make->add_option(
          "--scope", o.scopes,
          "what it may do: decide, feedback, admin, read; may be repeated. With --model, the default is decide, "
          "feedback and read")
      ->delimiter(',');
  make->add_option("--model", o.model,
                   "a model: the token is a subscription key, which selects it at Personalizer's addresses");
  add("list", "the names of tokens and what they may do", cli::token_list);
  add("remove", "revoke a token", cli::token_remove)->add_option("name", o.name, "what it is called")->required();
}

void add_report(CLI::App& app, cli::Output& out) {
  static cli::ReportOptions o;
  auto* report = app.add_subcommand("report", "write a page about a period of a service, for the weekly mail");
  report->add_option("dir", o.data, "the service's directory; the service may be running")->required();
  may_repeat(report->add_option("--model", o.models, "a model; may be repeated (default: all)"));
  report->add_option("--to", o.to, "the end: a date or a time, in UTC (default: the latest)");
  auto* days = report->add_option("--days", o.days, "how many days before the end")->capture_default_str();
  report->add_option("--from", o.from, "the beginning: a date, as for --to")->excludes(days);
  report->add_option("--out", o.out, "the file; - for standard output")->capture_default_str();
  report->callback([&out] { cli::report(o, out); });
}

void add_worker(CLI::App& app, cli::Output& out) {
  static cli::QueueOptions o;
  auto* worker = app.add_subcommand("worker", "fold models' events from Kafka and write an outcome for each");
  add_brokers(worker, o)->required();
  worker->add_option("--group", o.group, "workers of one group share the partitions")->capture_default_str();
  worker->add_option("--instance", o.instance,
                     "this worker's own name; if it restarts soon enough, it keeps its partitions");
  worker->add_option("--session-ms", o.session_ms, "after so long without a sign of life, its partitions go to others")
      ->check(CLI::Range(1000, 1800000))
      ->capture_default_str();
  worker->add_option("--snapshot-every", o.snapshot_every, "save a partition after so many events")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
      ->capture_default_str();
  worker->add_option("--snapshot-seconds", o.snapshot_seconds, "and after so many seconds, if there are new events")
      ->check(CLI::Range(1.0, 1e6))
      ->capture_default_str();
  worker->add_flag("--unsafe-topics", o.unsafe_topics, "work with topics that can lose acknowledged events");
  worker
      ->add_option("--expiry-hold", o.expiry_hold_seconds,
                   "seconds for which no round is given up by time after the worker's clock has jumped")
      ->check(CLI::Range(0.0, 1e9))
      ->capture_default_str();
  worker->callback([&out] { cli::worker(o, out); });
}

void add_queue(CLI::App& app, cli::Output& out, int& status) {
  static cli::QueueOptions o;
  auto* queue = app.add_subcommand("queue", "work with the Kafka topics: create, send events, read outcomes, check");
  queue->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, void (*run)(const cli::QueueOptions&, cli::Output&)) {
    auto* command = queue->add_subcommand(name, help);
    add_brokers(command, o)->required();
    if (run != nullptr) command->callback([&out, run] { run(o, out); });
    return command;
  };
  auto* create = add("create", "create the three topics, with settings that lose nothing", cli::queue_create);
  create->add_option("--partitions", o.partitions, "how many; it can never be changed")
      ->required()
      ->check(CLI::Range(1, 10000));
  create->add_option("--replication", o.replication, "copies of each partition")
      ->check(CLI::Range(1, 100))
      ->capture_default_str();
  auto* send = add("send", "send events, one per line: a model's name, a tab, the event as JSON", cli::queue_send);
  send->add_option("file", o.file, "a file, or - for standard input")->capture_default_str();
  send->add_option("--rate", o.rate, "events a second (as fast as it goes unless given)")->check(CLI::PositiveNumber);
  add("outcomes", "print all outcomes, each once: the model's name, a tab, the outcome", cli::queue_outcomes);
  const auto with_model = [&](CLI::App* command) {
    command->add_option("--model", o.model, "its name")->required();
    return command;
  };
  with_model(add("export", "write a model's history as tarry-replay/2", cli::queue_export));
  with_model(add("import", "send a model's history, as tarry store dump writes it", cli::queue_import))
      ->add_option("file", o.file, "a log in the format tarry-replay/2, or - for standard input")
      ->capture_default_str();
  add("check", "fold all events again, compare every outcome and snapshot to the bit, and print the models' hashes",
      nullptr)
      ->callback([&out, &status] { status = cli::queue_check(o, out) ? 0 : kFailed; });
}

void add_store(CLI::App& app, cli::Output& out) {
  static cli::StoreOptions o;
  auto* store = app.add_subcommand(
      "store", "look after a service's directory: check, dump, round, import, backup, restore, compact");
  store->require_subcommand(1);
  const auto add = [&](const char* name, const char* help, const char* what,
                       void (*run)(const cli::StoreOptions&, cli::Output&)) {
    auto* command = store->add_subcommand(name, help);
    command->add_option("dir", o.data, what)->required();
    command->callback([&out, run] { run(o, out); });
    return command;
  };
  const char* const directory = "the directory of a service that is not running";
  add("check", "read everything, fold the log and compare snapshots with it; on damage, status 2 and where it is",
      directory, cli::store_check)
      ->add_flag("--quick", o.quick, "only check the structure, without folding");
  auto* dump = add("dump", "write a model's history as tarry-replay/2", directory, cli::store_dump);
  dump->add_option("--model", o.model, "its name")->required();
  dump->add_option("--out", o.out, "a file, instead of standard output; where the log was pruned, also FILE.state");
  auto* round = add("round", "print one round of a model as JSON", directory, cli::store_round);
  round->add_option("--model", o.model, "its name")->required();
  auto* which = round->add_option_group("which")->require_option(1);
  for (auto [option, text] : {std::pair("--key", &o.key), {"--ticket", &o.ticket}}) which->add_option(option, *text);
  which->add_option("--round", o.number, "its number")->check(CLI::PositiveNumber);
  auto* import = add("import", "add a model to a store, from its state, its history (tarry-replay/2) or both",
                     "the directory of a service that is not running, or a new one", cli::store_import);
  import->add_option("--model", o.model, "what to call it")->required();
  import->add_option("--state", o.state,
                     "a file saved by tarry run, tarry replay --save, Python or the service, to continue from");
  import->add_option("log", o.log, "a file in the format tarry-replay/2; with --state, the events since then");
  add("backup", "copy a store with its key, also while the service runs", "the service's directory; it may run",
      cli::store_backup)
      ->add_option("to", o.to, "a directory that is empty or not there")
      ->required();
  add("restore", "make a store from a backup", "the backup", cli::store_restore)
      ->add_option("to", o.to, "a directory that is empty or not there")
      ->required();
  add("compact", "erase deleted models' data from the log and the snapshots", directory, cli::store_compact);
}

void add_commands(CLI::App& app, cli::Output& out, int& status) {
  app.description("Online learning for labels that come late, and for decisions under constraints.");
  // Two programs with one arithmetic number give the same bits.
  const std::string version = std::string("tarry ") + kVersion + " (arithmetic " + std::to_string(kArithmetic) + ")";
  app.set_version_flag("--version", version);
  app.name("tarry");
  app.require_subcommand(1);
  app.fallthrough();

  static cli::ReplayOptions replay_options;
  auto* replay = app.add_subcommand("replay", "play a recorded history again and print the answer to each play");
  replay->add_option("log", replay_options.log, "a log in the format tarry-replay/1 or /2, or - for standard input")
      ->required();
  replay->add_option("--load", replay_options.load, "continue from a saved model (the header names the same model)");
  replay->add_option("--save", replay_options.save, "save the model at the end");
  replay->add_flag("--hash", replay_options.hash, "end with rounds, outstanding rounds and the hash of the model");
  replay->add_flag("--summary", replay_options.summary, "print a readable summary instead of the decisions");
  replay->callback([&out] { cli::replay(replay_options, out); });

  static cli::OracleOptions oracle_options;
  auto* oracle = app.add_subcommand("oracle", "print a set's best vertex for each direction (a JSON array per line)");
  oracle->add_option("--set", oracle_options.set, "the set: a JSON or TOML file, or JSON itself")->required();
  oracle->add_option("directions", oracle_options.directions, "a file of directions")->capture_default_str();
  oracle->callback([&out] { cli::oracle(oracle_options, out); });

  static cli::ExplainOptions explain_options;
  auto* explain = app.add_subcommand("explain", "show a model's specification in full, and what it will cost");
  explain
      ->add_option("spec", explain_options.spec,
                   "the model: a JSON or TOML file, JSON itself, the name of a task (tarry tasks), or a saved model")
      ->required();
  explain
      ->add_option("--horizon", explain_options.horizon, "also print the bound on regret after so many rounds, if any")
      ->check(CLI::Range(1.0, 1e18));
  explain
      ->add_option("--gradient-bound", explain_options.gradient_bound,
                   "for --horizon: no gradient is longer than this, in the 2-norm")
      ->check(CLI::Range(1e-100, 1e100))
      ->capture_default_str();
  explain->add_option("--row", explain_options.row,
                      "for a saved model: what each feature of this row adds to its prediction, {\"price\": 80}");
  explain->add_flag("--json", explain_options.json, "one JSON object");
  explain->callback([&out] { cli::explain_spec(explain_options, out); });

  static cli::VerifyOptions verify_options;
  auto* verify = app.add_subcommand("verify", "play every learner against adversaries and check regret against theory");
  verify->add_flag("--quick", verify_options.quick, "shorter games");
  verify->add_flag("--json", verify_options.json, "one JSON object a check");
  verify->add_option("--climb", verify_options.climb, "games for each row of the climbs")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000000000}));
  verify->add_option("--out", verify_options.out, "a folder for the games that break a promise");
  verify->callback([&out, &status] { status = cli::verify(verify_options, out) ? 0 : kFailed; });

  static cli::RunOptions run_options;
  auto* run = app.add_subcommand("run", "run an experiment or play a table: results, curves and a report");
  run->add_option("spec", run_options.spec,
                  "an experiment (TOML), a table of late labels (CSV), or a log of choices (CSV, DSJSON, JSONL); tarry "
                  "init writes a first one")
      ->required();
  run->add_option("--out", run_options.out, "the folder for results (default: runs/NAME)");
  run->add_option("--jobs", run_options.jobs, "how many runs at the same time (default: one per core)")
      ->check(CLI::Range(1, 1024));
  may_repeat(run->add_option("--override", run_options.overrides, "key=value, e.g. rounds=500 or learners.0.eta=0.1"));
  run->add_flag("--fresh", run_options.fresh, "run everything again, even finished runs");
  run->add_option("--shard", run_options.shard, "run only this part, e.g. 2/4; parts share one --out folder");
  run->add_flag("--merge", run_options.merge, "run nothing: make tables and a report from the finished parts");
  run->add_option("--beside", run_options.beside,
                  "also play a rival on the table: lightgbm, retrained as labels come (needs python3 with LightGBM)");
  run->add_flag("--terminal", run_options.terminal, "also draw the main curve in the terminal");
  run->callback([&out, &status] { status = cli::run(run_options, out); });

  add_serve(app, out);
  add_token(app, out);
  add_store(app, out);
  add_report(app, out);
  add_worker(app, out);
  add_queue(app, out, status);

  static cli::InitOptions init_options;
  auto* init = app.add_subcommand("init", "write a commented example experiment");
  init->add_option("path", init_options.path, "where to, or - for standard output")->capture_default_str();
  init->add_option("--csv", init_options.csv, "write one for this table of late labels");
  may_repeat(init->add_option("--override", init_options.overrides,
                              "with --csv: a setting that the table leaves open, e.g. stream.label=paid"));
  init->add_flag("--force", init_options.force, "replace an existing file");
  init->callback([&out] { cli::init(init_options, out); });

  static cli::ReadOptions read_options;
  auto* read = app.add_subcommand("read", "show how a table of late labels is read: its times, its label, its columns");
  read->add_option("table", read_options.path, "a table (CSV, JSON lines)")->required();
  may_repeat(read->add_option("--override", read_options.overrides,
                              "a setting that the table leaves open, e.g. stream.label=paid"));
  read->add_flag("--json", read_options.json, "print one JSON object, also if something is unclear");
  read->callback([&out, &status] { status = cli::read_table(read_options, out); });

  static bool json = false;
  const auto add_list = [&](const char* name, const char* help, void (*list)(bool, cli::Output&)) {
    auto* command = app.add_subcommand(name, help);
    command->add_flag("--json", json, "one JSON object a line");
    command->callback([&out, list] { list(json, out); });
  };
  add_list("tasks", "list the tasks, each a word for a whole model, and their keys", cli::list_tasks);
  add_list("sets", "list the decision sets and their keys", cli::list_sets);
  add_list("learners", "list the learners and their keys", cli::list_learners);
  add_list("losses", "list the losses and their keys", cli::list_losses);
  add_list("delays", "list the delays and their keys", cli::list_delays);
  add_list("streams", "list the streams of experiments and their keys", cli::list_streams);

  for (CLI::App* command : app.get_subcommands({})) command->set_version_flag("--version", version);
}

std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unread = app.remaining();
  if (!app.get_subcommands().empty() || unread.empty()) return error.what();
  std::string known;
  for (const CLI::App* command : app.get_subcommands({})) known += (known.empty() ? "" : ", ") + command->get_name();
  return "unknown command or option \"" + unread.front() + "\" (known commands: " + known + ")";
}

// Runs the command, and prints the help or the version where that was asked for.
void run(CLI::App& app, cli::Output& out, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    out.print(app.help());
  } catch (const CLI::CallForVersion& version) {
    out.print(std::string(version.what()) + "\n");
  } catch (const CLI::ParseError& error) {
    throw Error(Code::kBadInput, usage_error(app, error) + "; see tarry --help");
  }
  out.flush();
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow any more is an error, as a full disk is
  cli::Output out;
  CLI::App app;
  int status = 0;
  try {
#ifdef TARRY_HAS_ORACLES
    oracles::add_sets();
#endif
    add_commands(app, out, status);
    run(app, out, argc, argv);
    return status;
  } catch (const Error& error) {
    try {
      out.flush();  // what was decided before the bad line is kept
    } catch (const Error&) {
    }
    return report(error.what(), error_row(error.code()).exit_status);
  } catch (const std::bad_alloc&) {
    return report("not enough memory", error_row(Code::kOutOfMemory).exit_status);
  } catch (const std::length_error&) {
    return report("not enough memory", error_row(Code::kOutOfMemory).exit_status);
  } catch (const std::exception& error) {
    return report(error.what(), error_row(Code::kInternal).exit_status);
  }
}
