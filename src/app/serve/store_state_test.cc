#include "app/serve/store_state.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <latch>
#include <string>
#include <thread>
#include <vector>

#include "os/files.h"
#include "store/store_testing.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;

class StoreStateTest : public testing::Test {
 protected:
  StoreStateTest() {
    Add("one");
    Add("two");
    Age();
  }

  const fs::path& folder() const { return folder_.path(); }

  void Add(const std::string& name) const {
    fs::create_directories(folder() / name);
    std::ofstream(folder() / name / "experiment.json") << "{}";
  }

  /// All is an hour old: what changes from now on has another time, however coarse the clock is.
  void Age() const {
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (const auto& entry : fs::recursive_directory_iterator(folder()))
      fs::last_write_time(entry.path(), old);
    fs::last_write_time(folder(), old);
  }

  /// Of a server that begins now: it has looked at nothing yet.
  std::string Look() const { return StoreState(folder()).Stamp().value(); }

  store::TestFolder folder_;
};

TEST_F(StoreStateTest, StaysWhereNothingChanges) {
  StoreState state(folder());
  const std::string stamp = state.Stamp().value();
  EXPECT_NE(stamp, "");
  EXPECT_EQ(state.Stamp().value(), stamp);
  EXPECT_EQ(Look(), stamp);
}

TEST_F(StoreStateTest, OfOneExperimentStaysWhileOthersChange) {
  const auto of = [this](const std::vector<std::string>& names) {
    return StoreState(folder()).StampOf(names).value();
  };
  const std::string one = of({"one"}), both = of({"one", "two"});
  EXPECT_NE(one, both);
  EXPECT_NE(one, of({"two"}));
  Add("three");
  fs::last_write_time(folder() / "two" / "experiment.json",
                      fs::file_time_type::clock::now() - std::chrono::minutes(5));
  EXPECT_EQ(of({"one"}), one);
  EXPECT_NE(of({"one", "two"}), both);
  fs::last_write_time(folder() / "one", fs::file_time_type::clock::now() - std::chrono::minutes(5));
  EXPECT_NE(of({"one"}), one);
}

TEST_F(StoreStateTest, OfAnExperimentThatIsNotThereIsThatOfTheStore) {
  EXPECT_EQ(StoreState(folder()).StampOf({"one", "no_such"}).value(), Look());
}

TEST_F(StoreStateTest, DoesNotTrustATimeThatMayComeTwice) {
  // Changed just now: a clock that ticks every few milliseconds may give the next change its time.
  const auto now = fs::file_time_type::clock::now() + std::chrono::milliseconds(20);
  fs::last_write_time(folder() / "one", now);
  StoreState state(folder());
  const std::string first = state.StampOf({"one"}).value();
  state.Changed();
  EXPECT_NE(state.StampOf({"one"}).value(), first);
}

TEST_F(StoreStateTest, SeesChangesWhoseTimesAreOutOfOrder) {
  StoreState state(folder());
  std::string before = state.StampOf({"one"}).value();
  // The clock goes hours forward, back, and back beyond the first: each time the file is written.
  for (const int hours : {5, -3, -30, 4}) {
    fs::last_write_time(folder() / "one" / "experiment.json",
                        fs::file_time_type::clock::now() + std::chrono::hours(hours));
    state.Changed();
    const std::string after = state.StampOf({"one"}).value();
    EXPECT_NE(after, before) << hours;
    EXPECT_EQ(state.StampOf({"one"}).value(), after) << hours;
    before = after;
  }
}

TEST_F(StoreStateTest, ChangesWithEachExperiment) {
  const std::string before = Look();
  Add("three");
  const std::string added = Look();
  EXPECT_NE(added, before);
  fs::rename(folder() / "three", folder() / "four");
  const std::string renamed = Look();
  EXPECT_NE(renamed, added);
  fs::remove_all(folder() / "four");
  EXPECT_NE(Look(), renamed);
}

TEST_F(StoreStateTest, ChangesWithTheFilesOfAnExperiment) {
  const std::string before = Look();
  std::ofstream(folder() / "one" / "experiment.json") << "{\"tags\": {}}";
  const std::string rewritten = Look();
  EXPECT_NE(rewritten, before);
  Age();
  const std::string aged = Look();
  ASSERT_TRUE(os::WriteFileAtomically(folder() / "two" / "spans.parquet", "x").ok());
  EXPECT_NE(Look(), aged);
}

TEST_F(StoreStateTest, ChangesWithBaselines) {
  const std::string before = Look();
  ASSERT_TRUE(os::WriteFileAtomically(folder() / "main.baseline.json", "{}").ok());
  const std::string set = Look();
  EXPECT_NE(set, before);
  Age();
  const std::string aged = Look();
  ASSERT_TRUE(os::WriteFileAtomically(folder() / "main.baseline.json", "{ }").ok());
  EXPECT_NE(Look(), aged);
}

// Jobs and uploads are written there all the time.
TEST_F(StoreStateTest, DoesNotChangeWithinTheServersOwnFolder) {
  fs::create_directories(folder() / ".serve" / "jobs");
  Age();
  const std::string before = Look();
  fs::create_directories(folder() / ".serve" / "jobs" / "000001");
  EXPECT_EQ(Look(), before);
}

TEST_F(StoreStateTest, IsLookedAtAnewAfterAChangeOfThisServer) {
  StoreState state(folder());
  const std::string before = state.Stamp().value();
  state.Changed();
  const std::string after = state.Stamp().value();
  EXPECT_NE(after, before);
  EXPECT_EQ(state.Stamp().value(), after);
}

TEST_F(StoreStateTest, IsLookedAtAnewFromTimeToTime) {
  StoreState state(folder());
  const std::string before = state.Stamp().value();
  Add("three");
  while (state.Stamp().value() == before) std::this_thread::yield();
  EXPECT_NE(state.Stamp().value(), before);
}

TEST_F(StoreStateTest, OfAStoreThatIsGoneIsAnError) {
  StoreState state(folder());
  ASSERT_TRUE(state.Stamp().ok());
  fs::remove_all(folder());
  state.Changed();
  const auto gone = state.Stamp();
  ASSERT_FALSE(gone.ok());
  EXPECT_EQ(gone.error().kind, ErrorKind::kEnvironment);
  fs::create_directories(folder());
  EXPECT_TRUE(state.Stamp().ok());
}

TEST_F(StoreStateTest, IsAskedByManyThreads) {
  StoreState state(folder());
  std::latch start(8);
  std::vector<std::jthread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([&, i] {
      start.arrive_and_wait();
      for (int round = 0; round < 50; ++round) {
        if (i == 0) state.Changed();
        EXPECT_TRUE(state.Stamp().ok());
      }
    });
}

}  // namespace
}  // namespace xsp::serve
