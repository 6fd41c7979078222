#include "store/catalogue.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "os/files.h"
#include "store/experiment_changes.h"
#include "store/experiment_writer.h"
#include "store/known_entries.h"
#include "store/rows/point_row.h"
#include "store/schema.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

fs::path Write(const fs::path& store, std::string_view name, std::string_view experiment_json,
               const std::vector<std::string>& run_statuses = {"done"}) {
  auto writer = ExperimentWriter::Create(store, name);
  EXPECT_TRUE(writer.ok());
  const std::vector<PointRow> points = {{.point_id = 1,
                                         .model = "resnet50",
                                         .backend = "PyTorch 2.15",
                                         .device = "cpu",
                                         .precision = "float32",
                                         .settings = "{}",
                                         .status = "done"}};
  EXPECT_TRUE(writer.value().AddRows(points).ok());
  for (std::size_t i = 0; i < run_statuses.size(); ++i) {
    const std::string json = R"({"status": ")" + run_statuses[i] + "\"}";
    EXPECT_TRUE(writer.value().AddRun("run-" + std::to_string(i), RandomTrace(1, 3), json).ok());
  }
  const auto path = writer.value().Commit(experiment_json);
  EXPECT_TRUE(path.ok());
  return path.value();
}

TEST(List, IsEmptyWithoutAStore) {
  const auto entries = List("/no/such/store");
  ASSERT_TRUE(entries.ok());
  EXPECT_THAT(entries.value(), IsEmpty());
}

TEST(List, TellsWhatEachExperimentIs) {
  const TestFolder store;
  Write(store.path(), "b", R"({"created": "2026-01-01T00:00:00Z", "status": "partial"})");
  Write(store.path(), "a", R"({"created": "2026-01-02T00:00:00Z"})", {"done", "failed"});
  fs::create_directories(store.path() / "junk");
  const auto entries = List(store.path());
  ASSERT_TRUE(entries.ok());
  ASSERT_EQ(entries.value().size(), 3u);
  EXPECT_EQ(entries.value()[0].name, "junk");
  EXPECT_THAT(entries.value()[0].status, HasSubstr("unreadable: "));
  EXPECT_EQ(entries.value()[1].name, "b");
  EXPECT_EQ(entries.value()[1].status, "partial");
  EXPECT_EQ(entries.value()[2].model, "resnet50");
  EXPECT_EQ(entries.value()[2].backend, "PyTorch 2.15");
  EXPECT_EQ(entries.value()[2].status, "partial");
  EXPECT_EQ(entries.value()[2].runs, 2);
}

TEST(List, ShowsAnExperimentWithoutItsPointsAsUnreadable) {
  const TestFolder store;
  fs::remove(Write(store.path(), "a", R"({"status": "done"})") / "point.parquet");
  EXPECT_EQ(List(store.path()).value()[0].status, "unreadable: point.parquet is missing (1 row)");
}

TEST(List, SeesEveryChangeOfWhatItHasRead) {
  const TestFolder store;
  Write(store.path(), "a", R"({"created": "2026-01-01T00:00:00Z", "status": "done"})");
  const auto tags = [&] { return List(store.path()).value().at(0).tags; };
  for (int i = 0; i < 20; ++i) {
    const std::string value = std::to_string(i);  // Files of one size, written at once.
    ASSERT_TRUE(TagExperiment(store.path(), "a", {{"key", value}}).ok());
    EXPECT_EQ(tags(), (Tags{{"key", value}}));
  }
  fs::remove_all(store.path() / "a");
  EXPECT_THAT(List(store.path()).value(), IsEmpty());
  Write(store.path(), "a", R"({"created": "2026-01-02T00:00:00Z", "status": "partial"})");
  EXPECT_EQ(List(store.path()).value().at(0).status, "partial");
}

TEST(List, LeavesWhatItReadForTheNextProcess) {
  const TestFolder folder;
  setenv("XSP_CACHE", (folder.path() / "cache").c_str(), 1);
  const fs::path store = folder.path() / "store";
  for (int i = 0; i < 100; ++i) {
    const fs::path experiment = store / fmt::format("e{}", i);
    fs::create_directories(experiment);
    const std::string json = R"({"format_version": 1, "status": "done", "model": "net"})";
    ASSERT_TRUE(os::WriteFileAtomically(experiment / "experiment.json", json).ok());
  }
  EXPECT_EQ(List(store).value().size(), 100u);
  KnownEntries next(store);
  const auto found = next.Find(store / "e7", StateOf(store / "e7").value());
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->model, "net");
  // Those that are not finished depend on more than is looked at, and are read each time.
  ASSERT_TRUE(os::WriteFileAtomically(store / "e7/experiment.json",
                                      R"({"format_version": 1, "status": "partial"})")
                  .ok());
  EXPECT_EQ(List(store).value().size(), 100u);
  EXPECT_FALSE(KnownEntries(store).Find(store / "e7", StateOf(store / "e7").value()));
}

TEST(List, ShowsANewerFormatAsUnreadable) {
  const TestFolder store;
  const fs::path path = Write(store.path(), "x", "{}");
  const std::string json = fmt::format(R"({{"format_version": {}}})", kFormatVersion + 1);
  ASSERT_TRUE(os::WriteFileAtomically(path / "experiment.json", json).ok());
  const auto entries = List(store.path());
  ASSERT_TRUE(entries.ok());
  EXPECT_THAT(entries.value().at(0).status, HasSubstr("newer XSP"));
}

TEST(Resolve, KnowsNamesPathsRunsAndTheLatest) {
  const TestFolder store;
  const fs::path older = Write(store.path(), "z", R"({"created": "2026-01-01T00:00:00Z"})");
  const fs::path newer = Write(store.path(), "a", R"({"created": "2026-01-02T00:00:00Z"})");
  fs::create_directories(store.path() / "unreadable");
  EXPECT_EQ(Resolve(store.path(), "z").value(), older);
  EXPECT_EQ(Resolve(store.path(), "z/run-0").value(), older / "run-0");
  EXPECT_EQ(Resolve(store.path(), older.string()).value(), older);
  EXPECT_EQ(Resolve(store.path(), "latest").value(), newer);
  EXPECT_EQ(Resolve(store.path(), "").value(), newer);
}

TEST(Resolve, TakesTheLastOfOneSecondAsTheLatest) {
  const TestFolder store;
  const std::string_view json = R"({"created": "2026-01-01T00:00:00Z"})";
  for (int i = 0; i < 11; ++i) Write(store.path(), "x", json);  // "x-10" sorts before "x-2".
  EXPECT_EQ(Resolve(store.path(), "latest").value().filename(), "x-11");
}

TEST(Resolve, NamesTheNearestNames) {
  const TestFolder store;
  Write(store.path(), "resnet50", "{}");
  Write(store.path(), "bert", "{}");
  const auto path = Resolve(store.path(), "resnet5O");
  ASSERT_FALSE(path.ok());
  EXPECT_EQ(path.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(path.error().hint, HasSubstr("are: resnet50, bert"));
}

TEST(Resolve, SaysThatTheStoreIsEmpty) {
  const auto latest = Resolve("/no/such/store", "latest");
  ASSERT_FALSE(latest.ok());
  EXPECT_THAT(latest.error().what, HasSubstr("the store is empty"));
  EXPECT_THAT(Resolve("/no/such/store", "x").error().what, HasSubstr("no such run: x"));
}

}  // namespace
}  // namespace xsp::store
