// One harm at a time to the files of a store, then what `tarry store check`, `dump` and `serve` do with it, in this
// process: what changes a model is never silent, and the three agree. tests/e2e/corruption_test.py does the same to the
// program itself, fewer times.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "store/draw.h"
#include "tarry/service/clock_record.h"
#include "tarry/service/server.h"
#include "tarry/store/checks/inspect.h"
#include "tarry/store/copies/dump.h"
#include "tarry/store/disk/key_file.h"
#include "tarry/store/disk/real_disk.h"

namespace tarry::service {
namespace {

namespace fs = std::filesystem;
using store::Position;

constexpr std::uint32_t kSalt = 5;
const std::string kSpec = R"({"task": "binary", "features": {"capacity": 16}})";

std::uint64_t cases() {
  if (const char* given = std::getenv("TARRY_CORRUPTIONS")) return std::stoull(given);
  return std::getenv("TARRY_SOAK") == nullptr ? 100 : 10'000;
}

struct Harm {
  std::string file, kind;  // the file by its ending, or by its name
  std::string where = {};
};

class Corruption : public testing::Test {
 protected:
  Corruption() : disk_(store::real_disk()) {
    std::string name = (fs::temp_directory_path() / "tarry-corruption-XXXXXX").string();
    root_ = ::mkdtemp(name.data());
    make();
  }
  ~Corruption() override { fs::remove_all(root_); }

  // A service was stopped once, and killed later: two openings, several segments, two snapshots, a log without an end.
  void make() {
    const store::Folder folder(*disk_, at("written"));
    store::write_key(*disk_, folder.path(), store::KeyBytes{7});
    store::write_whole(*disk_, folder.path(), std::string(kClockFile), clock_record_bytes({.at_ms = now()}));
    for (std::uint64_t epoch = 1; epoch <= 2; ++epoch) {
      store::JournalOptions options{.epoch = epoch, .salt = kSalt, .segment_bytes = 4096};
      options.background = false;
      store::Journal journal(*disk_, folder.journal(), options);
      add(journal, hosting::Opened{.epoch = epoch, .at_ms = now(), .engine = "0.1.0", .arithmetic = kArithmetic});
      if (epoch == 1) add(journal, hosting::Create{.name = "clicks", .spec = kSpec, .at_ms = now()});
      for (int i = 0; i < 20; ++i) {
        play(journal, i);
        if (i == 12) save(journal, folder, epoch);
      }
      journal.sync();
      if (epoch == 2)
        fs::copy(at("written"), at("pristine"), fs::copy_options::recursive);  // as if it were killed here
    }
    wanted_ = models_.find("clicks")->model().hash();
    for (const auto& each : fs::recursive_directory_iterator(at("pristine"))) {
      if (!each.is_regular_file() || each.path().filename() == "lock") continue;
      const std::string bytes = store::read_whole(*disk_, each.path().string());
      files_.emplace_back(fs::relative(each.path(), at("pristine")).string(), bytes.find_last_not_of('\0') + 1);
    }
    std::sort(files_.begin(), files_.end());
  }

  static std::int64_t now() { return MachineClocks::wall_ms(); }
  std::string at(const std::string& name) const { return root_ + "/" + name; }

  void add(store::Journal& journal, const hosting::Entry& entry) {
    const std::string bytes = hosting::entry_bytes(entry);
    const std::vector<std::string_view> payload = {bytes};
    models_.apply(journal.append(payload), entry);
  }
  void play(store::Journal& journal, int i) {
    add(journal,
        hosting::Apply{.incarnation = 2, .at_ms = now(), .event = Play{.features = NamedFeatures{{"x", 0.1 * i}}}});
    const Round round = models_.find("clicks")->model().ledger().issued();
    if (i % 3 != 0)
      add(journal, hosting::Apply{.incarnation = 2, .at_ms = now(), .event = Label{round, LabelValue{i % 2 == 0}}});
  }
  void save(store::Journal& journal, const store::Folder& folder, std::uint64_t epoch) {
    journal.sync();
    ByteWriter out;
    models_.save(out);
    store::Snapshots(*disk_, folder.snapshots()).save([&](const store::Snapshots::Sink& sink) {
      sink(out.bytes());
      return store::SavedHead{.position = models_.head().position,
                              .engine = "0.1.0",
                              .arithmetic = kArithmetic,
                              .origin = store::LogOrigin{kSalt, epoch}};
    });
  }

  Harm harm(store::Draw& draw) {
    const auto& [name, size] = files_[draw.below(files_.size())];
    const fs::path file = fs::path(at("harmed")) / name;
    const std::string known = file.has_extension() ? file.extension().string() : file.filename().string();
    const std::uint64_t kind = draw.below(6), where = draw.below(size);
    if (kind == 5) {
      fs::remove(file);
      return {known, "gone", name};
    }
    if (kind == 4) {
      fs::resize_file(file, where);
      return {known, "cut", name + " at " + std::to_string(where)};
    }
    std::string bytes = store::read_whole(*disk_, file.string());
    const std::string before = bytes;
    if (kind == 3)
      for (std::size_t i = where; i < std::min<std::size_t>(where + 64, bytes.size()); ++i) bytes[i] = '\0';
    else
      bytes[where] = static_cast<char>(bytes[where] ^ (1 << draw.below(8)));
    std::ofstream(file, std::ios::binary) << bytes;
    return {known, bytes == before ? "none" : kind == 3 ? "zeros" : "flip", name + " at " + std::to_string(where)};
  }

  // What a check finds; `told`: an end that cannot be known, or a seal.
  bool is_damaged(bool& told) {
    try {
      store::check_is_store(*disk_, at("harmed"));
      const store::Inspection seen = store::inspect(*disk_, at("harmed"), store::Depth::kFolds);
      told = seen.torn || !seen.damaged_seals.empty();
      no_key_ = !seen.key;
      return !seen.damage.empty();
    } catch (const Error&) {
      return true;
    }
  }
  // The hash of what is dumped; nothing: it cannot be.
  std::optional<std::string> dumped() {
    try {
      return store::dump_model(*disk_, at("harmed"), "clicks", true, [](std::string_view) {}).hash;
    } catch (const Error&) {
      return std::nullopt;
    }
  }
  // The hash that a service has; nothing: it refuses to start.
  std::optional<std::string> served() {
    said_.clear();
    hosting::JsonLog log(now, [this](std::string_view line) { said_ += line; });
    ServerOptions options{.data = at("harmed")};
    options.front.http.port = 0;
    options.front.without_tokens = true;
    options.workers = 1;
    try {
      Server server(options, log, [] { ADD_FAILURE() << "the log broke"; });
      const ServedPointer model = server.service().models().find("clicks");
      return model ? model->model->model().hash() : "none";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()), "");
      return std::nullopt;
    }
  }

  // Why it is no harm that nothing was said: a file that holds nothing a model needs, or zeros written over zeros.
  bool is_no_loss(const Harm& harm) const {
    if (harm.kind == "none") return true;
    if (harm.file == kClockFile)  // the service says so, and goes by the log's last time
      return harm.kind == "gone" || said_.find("clock is damaged") != std::string::npos;
    if (harm.file == "first") return harm.kind == "gone";    // a log that begins with its first entry needs no mark
    return harm.file == ".snapshot" && harm.kind == "gone";  // the one before it, or the log, gives the same
  }

  std::string verdict(const Harm& what) {
    bool told = false;
    no_key_ = false;
    const bool damaged = is_damaged(told);
    const auto dump = dumped();
    EXPECT_TRUE(dump || damaged) << "dump fails and check does not";
    EXPECT_TRUE(damaged || told || dump == wanted_) << "dump has another state";
    const auto serves = served();
    if (!serves) {
      EXPECT_TRUE(damaged || no_key_) << "serve refuses and check does not";
      return "refused";
    }
    if (*serves != wanted_) {
      EXPECT_TRUE(told) << "another state, and nobody said so";
      return "told: the last entry cannot be known";
    }
    if (damaged) return "found, and an older snapshot serves";
    if (told) return "told, nothing lost";
    EXPECT_TRUE(is_no_loss(what));
    return "silent: " + what.kind + " in " + what.file;
  }

  std::unique_ptr<store::Disk> disk_;
  std::string root_, wanted_, said_;
  hosting::Models models_;
  std::vector<std::pair<std::string, std::size_t>> files_;  // with where their content ends
  bool no_key_ = false;
};

TEST_F(Corruption, NothingThatChangesAModelIsSilent) {
  std::map<std::string, int> seen;
  for (std::uint64_t number = 1; number <= cases() && !HasFailure(); ++number) {
    fs::copy(at("pristine"), at("harmed"), fs::copy_options::recursive);
    store::Draw draw(number);
    const Harm what = harm(draw);
    SCOPED_TRACE("case " + std::to_string(number) + ": " + what.kind + " in " + what.where);
    ++seen[verdict(what)];
    fs::remove_all(at("harmed"));
  }
  EXPECT_GT(seen["refused"], static_cast<int>(cases() / 10));
  EXPECT_GT(seen["found, and an older snapshot serves"], 0);
  if (cases() < 1000) return;
  for (const auto& [what, count] : seen) std::cout << count << "  " << what << "\n";
}

}  // namespace
}  // namespace tarry::service
