// SQLite as a log: one table, a transaction for each batch.
#include <sqlite3.h>

#include <filesystem>
#include <stdexcept>

#include "log_rivals.h"

namespace tarry::bench {
namespace {

class SqliteLog : public RivalLog {
 public:
  explicit SqliteLog(const std::string& folder) {
    std::filesystem::create_directories(folder);
    check(sqlite3_open((folder + "/log.db").c_str(), &db_));
    run("PRAGMA journal_mode = WAL");
    run("PRAGMA synchronous = FULL");
    run("CREATE TABLE IF NOT EXISTS log (position INTEGER PRIMARY KEY, payload BLOB)");
    check(sqlite3_prepare_v2(db_, "INSERT INTO log (payload) VALUES (?)", -1, &insert_, nullptr));
  }
  ~SqliteLog() override {
    sqlite3_finalize(insert_);
    sqlite3_close(db_);
  }

  void append(std::span<const std::string> payloads) override {
    run("BEGIN");
    for (const auto& payload : payloads) {
      check(sqlite3_bind_blob(insert_, 1, payload.data(), static_cast<int>(payload.size()), SQLITE_STATIC));
      if (sqlite3_step(insert_) != SQLITE_DONE) fail();
      check(sqlite3_reset(insert_));
    }
    run("COMMIT");
  }

  std::vector<std::string> read() override {
    std::vector<std::string> found;
    sqlite3_stmt* all = nullptr;
    check(sqlite3_prepare_v2(db_, "SELECT payload FROM log ORDER BY position", -1, &all, nullptr));
    int step = 0;
    while ((step = sqlite3_step(all)) == SQLITE_ROW) {
      const auto* bytes = static_cast<const char*>(sqlite3_column_blob(all, 0));
      found.emplace_back(bytes, static_cast<std::size_t>(sqlite3_column_bytes(all, 0)));
    }
    sqlite3_finalize(all);
    if (step != SQLITE_DONE) fail();
    return found;
  }

 private:
  [[noreturn]] void fail() { throw std::runtime_error(std::string("sqlite: ") + sqlite3_errmsg(db_)); }
  void check(int status) {
    if (status != SQLITE_OK) fail();
  }
  void run(const char* statement) { check(sqlite3_exec(db_, statement, nullptr, nullptr, nullptr)); }

  sqlite3* db_ = nullptr;
  sqlite3_stmt* insert_ = nullptr;
};

}  // namespace

std::unique_ptr<RivalLog> open_sqlite(const std::string& folder) { return std::make_unique<SqliteLog>(folder); }

}  // namespace tarry::bench
