// Our journal as a log among rivals.
#include <optional>
#include <random>

#include "log_rivals.h"
#include "tarry/store/disk/real_disk.h"
#include "tarry/store/journal/journal.h"

namespace tarry::bench {
namespace {

store::JournalOptions options() {
  store::JournalOptions made;
  made.epoch = std::random_device()();
  made.salt = std::random_device()();
  return made;
}

class OwnLog : public RivalLog {
 public:
  explicit OwnLog(const std::string& folder) : disk_(store::real_disk()) {
    disk_->make_folder(folder);
    journal_.emplace(*disk_, folder, options());
  }

  void append(std::span<const std::string> payloads) override {
    const std::vector<std::string_view> views(payloads.begin(), payloads.end());
    std::size_t bytes = 0;
    for (const auto view : views) bytes += view.size();
    journal_->reserve(views.size(), bytes);
    journal_->append(views);
    journal_->sync();
  }

  std::vector<std::string> read() override {
    std::vector<std::string> found;
    journal_->read(0, [&](hosting::Position, std::string_view payload) {
      found.emplace_back(payload);
      return true;
    });
    return found;
  }

 private:
  std::unique_ptr<store::Disk> disk_;
  std::optional<store::Journal> journal_;
};

}  // namespace

std::unique_ptr<RivalLog> open_own(const std::string& folder) { return std::make_unique<OwnLog>(folder); }

}  // namespace tarry::bench
