#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <system_error>
#include <thread>

#include "tarry/base/error.h"
#include "tarry/cli/commands.h"
#include "tarry/cli/posted_table.h"
#include "tarry/cli/queue_brokers.h"
#include "tarry/cli/wall_clock.h"
#include "tarry/service/demo.h"
#include "tarry/service/memory/memory.h"
#include "tarry/service/server.h"
#ifdef TARRY_HAS_KAFKA
#include "tarry/gateway/running_gateway.h"
#include "tarry/kafka/partition.h"
#endif

namespace tarry::cli {
namespace {

// A model with a long update has one of the threads that work on models; so many can, and others still go on.
constexpr std::size_t kSpareWorkers = 6;

// As many files as this process may open: each connection is one.
void allow_connections() {
  rlimit files{};
  if (getrlimit(RLIMIT_NOFILE, &files) != 0) return;
  files.rlim_cur = files.rlim_max;
  setrlimit(RLIMIT_NOFILE, &files);
}

struct Listen {
  std::string address;
  std::uint16_t port = 0;
};

// 127.0.0.1:8080, [::1]:8080
Listen read_listen(const std::string& given) {
  const auto wrong = [&]() -> Error {
    return Error(Code::kBadInput,
                 fmt::format("--listen must be an IP address and a port, as 127.0.0.1:8080 ({} came)", given));
  };
  const auto colon = given.rfind(':');
  if (colon == std::string::npos) throw wrong();
  std::string address = given.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  const std::string port = given.substr(colon + 1);
  if (address == "localhost") address = "127.0.0.1";
  const bool digits = !port.empty() && port.size() <= 5 && port.find_first_not_of("0123456789") == std::string::npos;
  if (address.empty() || !digits || std::stoul(port) > 65535) throw wrong();
  return {address, static_cast<std::uint16_t>(std::stoul(port))};
}

service::FrontOptions front_of(const ServeOptions& options) {
  const Listen listen = read_listen(options.listen);
  service::FrontOptions front{.without_tls = options.without_tls,
                              .without_tokens = options.without_tokens || options.demo,
                              .log_requests = options.log_requests};
  front.http.address = listen.address;
  front.http.port = listen.port;
  front.http.threads = std::max(1u, std::thread::hardware_concurrency());
  front.http.certificate = options.tls_certificate;
  front.http.key = options.tls_key;
  front.http.most_body = options.most_body;
  front.http.most_connections = options.most_connections;
  return front;
}

// They are taken by the thread that waits for them: no thread is interrupted. SIGTERM and SIGINT end the service;
// SIGUSR1 says that the wall clock is right.
sigset_t signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGUSR1);
  return set;
}

// What was acknowledged is durable whenever the process ends: a model that takes long must not keep it from ending.
// Its thread is there before it is needed: at the end there may be no memory for one.
class EndAnyway {
 public:
  EndAnyway(hosting::JsonLog& log, const char* why)
      : thread_([this, &log, why](const std::stop_token& stopped) {
          constexpr auto kPatience = std::chrono::seconds(9);
          std::unique_lock lock(mutex_);
          if (!changed_.wait(lock, stopped, [this] { return told_; })) return;
          if (changed_.wait_for(lock, stopped, kPatience, [] { return false; }) || stopped.stop_requested()) return;
          log.warning(why);
          std::_Exit(0);
        }) {}

  // From now on it has some seconds.
  void begin() {
    {
      const std::lock_guard lock(mutex_);
      told_ = true;
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  bool told_ = false;
  std::jthread thread_;  // ends first
};

// Runs a server until it is asked to end. `make` makes it, once signals are taken care of.
// `late`: what is said where it does not end in time.
template <class Make, class Run>
void run_until_told(const char* late, Make make, Run run) {
  allow_connections();
  service::prepare_for_failing_allocations();
  const sigset_t set = signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);  // before any thread begins: they inherit it
  std::signal(SIGPIPE, SIG_IGN);
  hosting::JsonLog log(now_ms, [](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stderr); });
  const auto server = make(log);
  EndAnyway end_anyway(log, late);
  server->start();
  const auto beside = run(*server);
  int signal = 0;
  for (sigwait(&set, &signal); signal == SIGUSR1; sigwait(&set, &signal))
    if constexpr (requires { server->go_on(); }) server->go_on();
  end_anyway.begin();
  beside();
  server->stop();
}

#ifdef TARRY_HAS_KAFKA
void serve_gateway(const ServeOptions& options, Output& out) {
  gateway::GatewayOptions server_options{.data = options.data,
                                         .front = front_of(options),
                                         .brokers = brokers_of(options.queue),
                                         .prefix = options.queue.prefix,
                                         .group = options.queue.group,
                                         .wait_ms = static_cast<std::int64_t>(options.wait_seconds * 1000),
                                         .unsafe_topics = options.queue.unsafe_topics};
  server_options.limits.dimension = std::min(options.most_dimension, kafka::kLargestDimension);
  run_until_told(
      "ended while a broker was asked and did not answer",
      [&](hosting::JsonLog& log) {
        return std::make_unique<gateway::RunningGateway>(server_options, log, [] { std::_Exit(1); });
      },
      [&](gateway::RunningGateway& server) {
        out.print(fmt::format("tarry serves {} at {}\n", options.queue.kafka, server.address()));
        out.flush();
        return [] {};
      });
}
#else
void serve_gateway(const ServeOptions&, Output&) { refuse_kafka(); }
#endif

// A directory for a demo, gone when the demo is.
class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_((std::filesystem::temp_directory_path() / "tarry-demo-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr)
      throw Error(Code::kIo, fmt::format("no temporary directory can be made as {}: {}; --data says where", path_,
                                         std::generic_category().message(errno)));
  }
  ~TemporaryDirectory() {
    std::error_code ignored;  // what is left there is the system's to clear
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

void serve(const ServeOptions& options, Output& out) {
  if (!options.queue.kafka.empty()) return serve_gateway(options, out);
  std::optional<TemporaryDirectory> temporary;
  if (options.data.empty()) temporary.emplace();
  const std::string data = temporary ? temporary->path() : options.data;
  service::ServerOptions server_options{.data = data};
  const std::size_t cores = std::max(1u, std::thread::hardware_concurrency());
  server_options.front = front_of(options);
  server_options.workers = cores + kSpareWorkers;
  server_options.limits.models = options.most_models;
  server_options.limits.dimension = options.most_dimension;
  server_options.limits.outstanding = options.most_outstanding;
  server_options.limits.memory = options.most_memory > 0 ? options.most_memory : service::default_most_memory();
  server_options.snapshot_every = options.snapshot_every;
  server_options.read_table = read_posted_table;
  server_options.keep = options.keep;
  server_options.watches = !options.without_watch;
  server_options.expiry_hold_ms = static_cast<std::int64_t>(options.expiry_hold_seconds * 1000);

  service::DemoPast past;
  if (options.demo) past = service::play_demo_hour(data, now_ms());
  std::optional<service::Demo> demo;
  run_until_told(
      "ended while a model was busy: no snapshot was saved, and the log has everything",
      [&](hosting::JsonLog& log) {
        return std::make_unique<service::Server>(server_options, log, [] { std::_Exit(1); });
      },
      [&](service::Server& server) {
        out.print(fmt::format("tarry serves {}{} at {}\n", data, options.demo ? " as a demo, without tokens," : "",
                              server.address()));
        if (options.demo)
          out.print(fmt::format("a demo plays: curl {}/v1/models/{}\n", server.address(), service::kDemoModel));
        out.flush();  // it may fail: before anything plays on the server
        if (options.demo) demo.emplace(server.service(), std::move(past));
        return [&demo] { demo.reset(); };
      });
}

}  // namespace tarry::cli
