#include "store/timeline_readers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

class TimelineReadersTest : public testing::Test {
 protected:
  std::filesystem::path Store(int spans) const {
    auto writer = ExperimentWriter::Create(folder_.path(), "e");
    EXPECT_TRUE(writer.ok());
    EXPECT_TRUE(writer.value().AddRun("run", RandomTrace(1, spans), "{}").ok());
    const auto path = writer.value().Commit("{}");
    EXPECT_TRUE(path.ok());
    return path.value() / "run";
  }

  static std::shared_ptr<const TimelineReader> Borrowed(TimelineReaders& readers,
                                                        const std::filesystem::path& run) {
    auto reader = readers.Borrow(run);
    EXPECT_TRUE(reader.ok()) << reader.error().what;
    return std::move(reader).value();
  }

  static std::int64_t SpansOf(const TimelineReader& reader) {
    std::int64_t spans = 0;
    for (const LaneTotal& lane : reader.lanes()) spans += lane.spans;
    return spans;
  }

  TestFolder folder_;
};

TEST_F(TimelineReadersTest, LendsAReaderAgainButNeverToTwoAtOnce) {
  TimelineReaders readers(2);
  const std::filesystem::path run = Store(50);
  auto first = Borrowed(readers, run);
  auto second = Borrowed(readers, run);
  EXPECT_NE(first, second);
  const TimelineReader* address = first.get();
  first.reset();
  EXPECT_EQ(readers.waiting(), 1U);
  EXPECT_EQ(Borrowed(readers, run).get(), address);
}

TEST_F(TimelineReadersTest, ClosesThoseBeyondItsBound) {
  TimelineReaders readers(2);
  const std::filesystem::path run = Store(50);
  {
    const std::vector<std::shared_ptr<const TimelineReader>> three = {
        Borrowed(readers, run), Borrowed(readers, run), Borrowed(readers, run)};
  }
  EXPECT_EQ(readers.waiting(), 2U);
}

TEST_F(TimelineReadersTest, OpensARunAnewThatWasReplaced) {
  TimelineReaders readers(2);
  const std::filesystem::path run = Store(50);
  EXPECT_EQ(SpansOf(*Borrowed(readers, run)), 50);
  std::filesystem::remove_all(run.parent_path());
  ASSERT_EQ(Store(70), run);
  EXPECT_EQ(SpansOf(*Borrowed(readers, run)), 70);
}

}  // namespace
}  // namespace xsp::store
