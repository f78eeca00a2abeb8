#include "tarry/service/access/token_watch.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tarry/store/disk/real_disk.h"

namespace tarry::service {
namespace {

class TokenWatchTest : public testing::Test {
 protected:
  TokenWatchTest() { std::filesystem::create_directories(folder_); }
  ~TokenWatchTest() override { std::filesystem::remove_all(folder_); }

  std::string path() const { return (folder_ / kTokensFile).string(); }
  void save(std::string_view text) { store::write_whole(*disk_, folder_.string(), std::string(kTokensFile), text); }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("token_watch_" + std::to_string(::getpid()));
  std::unique_ptr<store::Disk> disk_ = store::real_disk();
  TokenWatch watch_{*disk_, path()};
};

TEST_F(TokenWatchTest, TellsWhatIsNewAndNothingOtherwise) {
  EXPECT_EQ(watch_.look()->why_none, "is missing");
  EXPECT_FALSE(watch_.look());
  Tokens tokens;
  tokens.add("one", {"read"});
  save(tokens.text());
  EXPECT_EQ(watch_.look()->tokens.all().size(), 1u);
  EXPECT_FALSE(watch_.look());
  save(tokens.text());  // another file, if an equal one
  EXPECT_TRUE(watch_.look());
  save("");
  EXPECT_EQ(watch_.look()->why_none, "is empty");
  std::filesystem::remove(path());
  EXPECT_EQ(watch_.look()->why_none, "is missing");
}

TEST_F(TokenWatchTest, FindsNoTokensInWhatItCannotRead) {
  save("{\"name\": \"a\"}\n");
  const auto damaged = watch_.look();
  EXPECT_TRUE(damaged->tokens.all().empty());
  EXPECT_EQ(damaged->why_none.find("cannot be read: tokens: "), 0u) << damaged->why_none;
  EXPECT_FALSE(watch_.look());
  std::filesystem::remove(path());
  std::filesystem::create_directory(path());
  EXPECT_EQ(watch_.look()->why_none.find("cannot be read: "), 0u);
  EXPECT_TRUE(watch_.look());  // it may be readable by now
}

}  // namespace
}  // namespace tarry::service
