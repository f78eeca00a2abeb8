// Options of the commands for Kafka.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tarry/cli/terminal.h"

namespace tarry::cli {

struct QueueOptions {
  std::string kafka;                  // brokers
  std::vector<std::string> settings;  // key=value, for the client
  std::string prefix = "tarry";       // of the topics' names

  // create
  int partitions = 0;
  int replication = 3;
  // send
  std::string file = "-";
  double rate = 0;  // records a second; 0: as fast as it goes
  // export, import
  std::string model;
  // worker
  std::string group = "tarry";
  std::string instance;
  int session_ms = 10'000;
  std::int64_t snapshot_every = 100'000;
  double snapshot_seconds = 60;
  bool unsafe_topics = false;
  double expiry_hold_seconds = 3600;
};

void worker(const QueueOptions& options, Output& out);  // until SIGTERM or SIGINT
void queue_create(const QueueOptions& options, Output& out);
void queue_send(const QueueOptions& options, Output& out);
void queue_outcomes(const QueueOptions& options, Output& out);
void queue_export(const QueueOptions& options, Output& out);
void queue_import(const QueueOptions& options, Output& out);
bool queue_check(const QueueOptions& options, Output& out);  // false: something is wrong

}  // namespace tarry::cli
