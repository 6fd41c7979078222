#include "store/mirror.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "objects/s3_server_testing.h"
#include "os/files.h"
#include "store/baselines.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/directory.h"
#include "store/experiment_changes.h"
#include "store/experiment_writer.h"
#include "store/many_experiments.h"
#include "store/mirrored_store.h"
#include "store/store_check.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;
using Answer = objects::S3ServerForTests::Answer;

constexpr const char* kDone =
    R"({"kind": "run", "model": "net", "backend": "b", "status": "done"})";

/// One store, "s3://bucket/p", as two machines see it.
class MirrorTest : public testing::Test {
 protected:
  MirrorTest() : ours_(Machine("ours")), theirs_(Machine("theirs")) {}

  fs::path Machine(const std::string& name) {
    setenv("XSP_MIRRORS", (folder_.path() / name).c_str(), 1);
    return OpenMirror(objects::ParseS3Address("s3://bucket/p").value()).value();
  }
  /// An experiment in a mirror, not pushed. Returns its name.
  static std::string Write(const fs::path& store, const std::string& name, std::uint32_t seed = 1) {
    ExperimentWriter writer = ExperimentWriter::Create(store, name).value();
    EXPECT_TRUE(writer.AddRun("r1", RandomTrace(seed, 20), R"({"rung": "layer"})").ok());
    const auto path = writer.Commit(kDone);
    EXPECT_TRUE(path.ok());
    return path.value().filename().string();
  }
  static std::vector<std::string> Push(const fs::path& store) {
    const auto pushed = PushMirror(store);
    EXPECT_TRUE(pushed.ok()) << (pushed.ok() ? "" : pushed.error().what);
    return pushed.ok() ? pushed.value().notes : std::vector<std::string>();
  }
  static Status Refresh(const fs::path& store) {
    return MirroredStore::Of(store).value()->Refresh(MirroredStore::Look::kNow);
  }
  static std::vector<std::string> Names(const fs::path& store) {
    const Status refreshed = Refresh(store);
    EXPECT_TRUE(refreshed.ok()) << (refreshed.ok() ? "" : refreshed.error().what);
    std::vector<std::string> names;
    const auto entries = List(store);
    EXPECT_TRUE(entries.ok());
    if (entries.ok())
      for (const CatalogueEntry& entry : entries.value()) names.push_back(entry.name);
    std::ranges::sort(names);
    return names;
  }
  static std::int64_t Spans(const fs::path& store, const std::string& name) {
    const auto folder = Resolve(store, name);
    EXPECT_TRUE(folder.ok()) << (folder.ok() ? "" : folder.error().what);
    if (!folder.ok()) return -1;
    const auto db = Database::Open({folder.value()});
    EXPECT_TRUE(db.ok());
    const auto rows = db.value().Query("SELECT count(*) FROM span");
    return std::get<std::int64_t>(rows.value().rows[0][0]);
  }

  TestFolder folder_;
  objects::S3ServerForTests server_;
  const fs::path ours_, theirs_;
};

TEST_F(MirrorTest, AServerThatIgnoresConditionsIsNotWrittenTo) {
  server_.ignores_conditions = true;
  Write(ours_, "a");
  const auto pushed = PushMirror(ours_);
  ASSERT_FALSE(pushed.ok());
  EXPECT_EQ(pushed.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(pushed.error().what, HasSubstr("s3://bucket/p"));
  EXPECT_THAT(Names(theirs_), IsEmpty());
  EXPECT_THAT(server_.objects(), IsEmpty());
  EXPECT_THAT(UnpushedExperiments(ours_), ElementsAre("a"));
  // Who writes alone may say so.
  setenv("XSP_ONLY_WRITER", "1", 1);
  EXPECT_THAT(Push(ours_), IsEmpty());
  unsetenv("XSP_ONLY_WRITER");
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  // One that was mended is tried again.
  Write(ours_, "b");
  EXPECT_FALSE(PushMirror(ours_).ok());
  server_.ignores_conditions = false;
  EXPECT_THAT(Push(ours_), IsEmpty());
  EXPECT_THAT(Names(theirs_), ElementsAre("a", "b"));
}

TEST_F(MirrorTest, AnotherMachineListsAndReadsWhatWasPushed) {
  Write(ours_, "a");
  EXPECT_THAT(Push(ours_), IsEmpty());
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  const CatalogueEntry entry = List(theirs_).value().at(0);
  EXPECT_EQ(entry.model, "net");
  EXPECT_EQ(entry.backend, "b");
  EXPECT_EQ(entry.status, "done");
  EXPECT_EQ(entry.runs, 1);
  // Nothing of it is here yet but what lists need.
  EXPECT_FALSE(fs::exists(theirs_ / "a/r1"));
  EXPECT_EQ(Spans(theirs_, "a"), 20);
  EXPECT_EQ(Spans(theirs_, "a/r1"), 20);
  EXPECT_EQ(Spans(theirs_, "latest"), 20);
  // Any engine reads the objects as the files of a store.
  EXPECT_TRUE(server_.objects().contains("p/a/r1/span.parquet"));
}

TEST_F(MirrorTest, ANameThatWasTakenMeanwhileGetsANumber) {
  Write(ours_, "a", 1);
  Write(theirs_, "a", 2);
  Push(ours_);
  EXPECT_THAT(Push(theirs_),
              ElementsAre("a was taken in s3://bucket/p: the experiment is called a-2"));
  EXPECT_THAT(Names(ours_), ElementsAre("a", "a-2"));
  EXPECT_THAT(Names(theirs_), ElementsAre("a", "a-2"));
  EXPECT_EQ(Inspect(theirs_ / "a-2").value().json["name"], "a-2");
}

TEST_F(MirrorTest, TagsAndNamesAndRemovalsReachTheOthers) {
  Write(ours_, "a");
  Write(ours_, "b");
  Push(ours_);
  EXPECT_THAT(Names(theirs_), ElementsAre("a", "b"));
  ASSERT_TRUE(TagExperiment(theirs_, "a", {{"gpu", "a100"}}).ok());
  Push(theirs_);
  Names(ours_);
  EXPECT_EQ(List(ours_).value()[0].tags.at("gpu"), "a100");
  ASSERT_TRUE(RenameExperiment(theirs_, "a", "c").ok());
  ASSERT_TRUE(RemoveExperiment(theirs_, "b").ok());
  Push(theirs_);
  EXPECT_THAT(Names(ours_), ElementsAre("c"));
  EXPECT_EQ(Spans(ours_, "c"), 20);
  for (const auto& [key, object] : server_.objects())
    EXPECT_TRUE(key.starts_with("p/c/") || key == "p/.index/c.json") << key;
}

TEST_F(MirrorTest, AChangeOfWhatSomebodyElseChangedIsRefused) {
  Write(ours_, "a");
  Push(ours_);
  Names(theirs_);
  ASSERT_TRUE(TagExperiment(ours_, "a", {{"x", "ours"}}).ok());
  ASSERT_TRUE(TagExperiment(theirs_, "a", {{"x", "theirs"}}).ok());
  Push(ours_);
  const auto pushed = PushMirror(theirs_);
  ASSERT_FALSE(pushed.ok());
  EXPECT_THAT(pushed.error().what, HasSubstr("meanwhile"));
  Names(theirs_);
  EXPECT_EQ(List(theirs_).value()[0].tags.at("x"), "ours");
}

TEST_F(MirrorTest, BaselinesAreShared) {
  Write(ours_, "a");
  ASSERT_TRUE(SetBaseline(ours_, "main", "a", "").ok());
  Push(ours_);
  Names(theirs_);
  EXPECT_EQ(FindBaseline(theirs_, "main").value().experiment, "a");
  ASSERT_TRUE(RemoveBaseline(theirs_, "main").ok());
  Push(theirs_);
  Names(ours_);
  EXPECT_FALSE(FindBaseline(ours_, "main").ok());
}

TEST_F(MirrorTest, AnIndexThatIsLostIsMadeAgain) {
  Write(ours_, "a");
  Push(ours_);
  server_.Erase("p/.index/a.json");
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  EXPECT_TRUE(server_.objects().contains("p/.index/a.json"));
  EXPECT_EQ(Spans(theirs_, "a"), 20);
  server_.Set("p/.index/a.json", "{damaged");
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  EXPECT_EQ(Spans(theirs_, "a"), 20);
}

TEST_F(MirrorTest, WhatAKilledWriterLeftIsNoExperiment) {
  Write(ours_, "a");
  // Killed after each of its requests: what the server then has is listed whole or not at all.
  for (int killed_after = 1;; ++killed_after) {
    int requests = 0;
    server_.fault = [&](const httplib::Request& request) -> std::optional<Answer> {
      const bool fails = request.method == "PUT" && ++requests > killed_after;
      return fails ? std::optional(Answer{403, "Killed"}) : std::nullopt;
    };
    const bool is_pushed = PushMirror(ours_).ok();
    server_.fault = nullptr;
    const std::vector<std::string> names = Names(theirs_);
    if (!names.empty()) {
      EXPECT_EQ(Spans(theirs_, "a"), 20);
    }
    if (is_pushed) break;
    EXPECT_THAT(UnpushedExperiments(ours_), ElementsAre("a"));
    ASSERT_LT(killed_after, 100);
    for (const auto& [key, object] : server_.objects()) server_.Erase(key);
    fs::remove(ours_ / "a/.claim");
  }
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
}

TEST_F(MirrorTest, APushThatWasCutOffGoesOn) {
  Write(ours_, "a");
  int puts = 0;
  server_.fault = [&](const httplib::Request& request) -> std::optional<Answer> {
    const bool fails = request.method == "PUT" && ++puts > 4;
    return fails ? std::optional(Answer{403, "AccessDenied"}) : std::nullopt;
  };
  EXPECT_FALSE(PushMirror(ours_).ok());
  server_.fault = nullptr;
  EXPECT_THAT(Push(ours_), IsEmpty());  // Its own claim is no conflict.
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
}

TEST_F(MirrorTest, ADamagedObjectIsAnErrorAndNoData) {
  Write(ours_, "a");
  Push(ours_);
  const std::string key = "p/a/r1/span.parquet";
  const std::string whole = server_.objects().at(key).bytes;
  server_.Set(key, whole.substr(0, whole.size() / 2));
  Names(theirs_);
  const auto folder = Resolve(theirs_, "a");
  ASSERT_FALSE(folder.ok());
  EXPECT_THAT(folder.error().what, HasSubstr("damaged: s3://bucket/p/a/r1/span.parquet"));
  EXPECT_FALSE(fs::exists(theirs_ / "a/r1/span.parquet"));
  server_.Set(key, whole);
  EXPECT_EQ(Spans(theirs_, "a"), 20);
}

TEST_F(MirrorTest, CheckingFindsLostObjectsAndWhatWritersLeft) {
  Write(ours_, "a");
  Push(ours_);
  Write(ours_, "b");
  const auto problems = [&](bool repair) {
    core::NoProgress nobody;
    std::vector<std::string> texts;
    const auto found = CheckStore(ours_, {.repair = repair}, nobody);
    for (const StoreProblem& one : found.value()) texts.push_back(one.name + ": " + one.what);
    return texts;
  };
  EXPECT_THAT(problems(false), ElementsAre("b: is only here: xsp store push publishes it"));
  Push(ours_);
  EXPECT_THAT(problems(false), IsEmpty());
  server_.Erase("p/a/r1/span.parquet");
  server_.Set("p/b/r1/run.json", "{}");
  const std::string claim = R"({"format_version": 1, "state": "writing", "time": ")";
  server_.Set("p/.index/c.json", claim + "2020-01-01T00:00:00Z\"}");
  server_.Set("p/c/r1/span.parquet", "half");
  server_.Set("p/.index/d.json", claim + "2999-01-01T00:00:00Z\"}");
  EXPECT_THAT(problems(true),
              ElementsAre("a: r1/span.parquet is gone", HasSubstr("b: r1/run.json has 2 bytes"),
                          "c: is what a writer left half-way: 2 objects"));
  EXPECT_FALSE(server_.objects().contains("p/.index/c.json"));
  EXPECT_FALSE(server_.objects().contains("p/c/r1/span.parquet"));
  EXPECT_TRUE(server_.objects().contains("p/.index/d.json"));
  EXPECT_THAT(problems(false).size(), 2u);
}

TEST_F(MirrorTest, AnExperimentThatIsPublishedAgainIsNeverRepairedAway) {
  Write(ours_, "a");
  Push(ours_);
  // A writer that was killed while it published the experiment again, long ago.
  server_.Set("p/.index/a.json",
              R"({"format_version": 1, "state": "writing", "time": "2020-01-01T00:00:00Z"})");
  core::NoProgress nobody;
  EXPECT_THAT(CheckStore(theirs_, {.repair = true}, nobody).value(), IsEmpty());
  EXPECT_TRUE(server_.objects().contains("p/a/r1/span.parquet"));
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  EXPECT_EQ(Spans(theirs_, "a"), 20);
}

TEST_F(MirrorTest, AListThatLagsBehindHidesNothing) {
  Write(ours_, "a");
  Push(ours_);
  server_.is_unlisted = [](const std::string&) { return true; };
  EXPECT_THAT(Names(ours_), ElementsAre("a"));
  EXPECT_EQ(Spans(ours_, "a"), 20);
}

TEST_F(MirrorTest, WhatIsNotPushedStaysAndIsListed) {
  server_.fault = [](const httplib::Request& request) -> std::optional<Answer> {
    return request.method == "PUT" ? std::optional(Answer{403, "AccessDenied"}) : std::nullopt;
  };
  Write(ours_, "a");
  EXPECT_FALSE(PushMirror(ours_).ok());
  EXPECT_THAT(Names(ours_), ElementsAre("a"));
  EXPECT_THAT(UnpushedExperiments(ours_), ElementsAre("a"));
}

TEST_F(MirrorTest, QuestionsAboutAllExperimentsFetchTheirTablesOnly) {
  Write(ours_, "a");
  Write(ours_, "b");
  Push(ours_);
  Names(theirs_);
  auto folders = ExperimentFolders(theirs_).value();
  ManyExperiments many = ManyExperiments::Open(std::move(folders)).value();
  ASSERT_TRUE(many.Query({"point"}, "SELECT count(*) FROM point").ok());
  EXPECT_FALSE(fs::exists(theirs_ / "a/r1"));
}

TEST_F(MirrorTest, ListingAgainAsksForListsOnly) {
  for (int i = 0; i < 10; ++i) Write(ours_, "e" + std::to_string(i));
  Push(ours_);
  EXPECT_EQ(Names(theirs_).size(), 10u);
  const int before = server_.requests();
  EXPECT_EQ(Names(theirs_).size(), 10u);
  EXPECT_EQ(server_.requests(), before + 1);
  // After five minutes also the root.
  const fs::path listed = theirs_ / ".root-listed";
  fs::last_write_time(listed, fs::file_time_type::clock::now() - std::chrono::minutes(6));
  EXPECT_EQ(Names(theirs_).size(), 10u);
  EXPECT_EQ(server_.requests(), before + 3);
  EXPECT_EQ(Names(theirs_).size(), 10u);
  EXPECT_EQ(server_.requests(), before + 4);
  // Of a clock that was set back the time is not known.
  fs::last_write_time(listed, fs::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_EQ(Names(theirs_).size(), 10u);
  EXPECT_EQ(server_.requests(), before + 6);
}

TEST_F(MirrorTest, AnExperimentWithoutAnIndexIsFoundInTheRoot) {
  Write(ours_, "a");
  Push(ours_);
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  // Of a writer that knows no index.
  for (const auto& [key, object] : server_.objects())
    if (key.starts_with("p/a/")) server_.Set("p/b/" + key.substr(4), object.bytes);
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  ASSERT_TRUE(MirroredStore::Of(theirs_).value()->Refresh(MirroredStore::Look::kAtAll).ok());
  EXPECT_THAT(Names(theirs_), ElementsAre("a", "b"));
  EXPECT_EQ(Spans(theirs_, "b"), 20);
  EXPECT_THAT(Names(Machine("new")), ElementsAre("a", "b"));
}

TEST_F(MirrorTest, BaselinesOfAnXspThatWritesNoSignsAreSeenInTheRoot) {
  Write(ours_, "a");
  Write(ours_, "b");
  ASSERT_TRUE(SetBaseline(ours_, "main", "a", "").ok());
  Push(ours_);
  Names(theirs_);
  const auto text = [&] { return os::ReadFile(theirs_ / "main.baseline.json").value(); };
  const std::string before = text();
  EXPECT_TRUE(server_.objects().contains("p/.index/.baselines/main"));
  const auto look_at_root = [&] {
    fs::remove(theirs_ / ".root-listed");
    Names(theirs_);
  };
  server_.Set("p/main.baseline.json", before + "\n");
  server_.Set("p/other.baseline.json", before);
  Names(theirs_);
  EXPECT_EQ(text(), before);
  look_at_root();
  EXPECT_EQ(text(), before + "\n");
  EXPECT_TRUE(FindBaseline(theirs_, "other").ok());
  // The next of ours is seen at once.
  ASSERT_TRUE(SetBaseline(ours_, "main", "b", "").ok());
  Push(ours_);
  Names(theirs_);
  EXPECT_EQ(FindBaseline(theirs_, "main").value().experiment, "b");
  server_.Erase("p/main.baseline.json");
  look_at_root();
  EXPECT_FALSE(FindBaseline(theirs_, "main").ok());
  EXPECT_TRUE(FindBaseline(theirs_, "other").ok());
}

TEST_F(MirrorTest, WhatAPowerCutLeftEmptyIsFetchedAgain) {
  Write(ours_, "a");
  Push(ours_);
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
  EXPECT_EQ(Spans(theirs_, "a"), 20);
  const std::string experiment = os::ReadFile(theirs_ / "a/experiment.json").value();
  for (const char* file : {"experiment.json", ".mirrored.json"}) {
    fs::resize_file(theirs_ / "a" / file, 0);
    EXPECT_THAT(Names(theirs_), ElementsAre("a"));
    EXPECT_EQ(os::ReadFile(theirs_ / "a/experiment.json").value(), experiment);
    EXPECT_EQ(Spans(theirs_, "a"), 20);
  }
  // Half of a file is found by a check.
  fs::resize_file(theirs_ / "a/.mirrored.json", 20);
  core::NoProgress nobody;
  EXPECT_THAT(CheckStore(theirs_, {}, nobody).value(), IsEmpty());
  EXPECT_EQ(Spans(theirs_, "a"), 20);
  fs::resize_file(theirs_ / ".known.json", 0);
  EXPECT_THAT(Names(theirs_), ElementsAre("a"));
}

TEST_F(MirrorTest, ListsOfThousandsJoinFromTheirRanges) {
  Write(ours_, "e");
  Push(ours_);
  const std::string index = server_.objects().at("p/.index/e.json").bytes;
  const auto add = [&](int from, int to) {
    for (int i = from; i < to;
         ++i)  // "e1" is the beginning of "e1-2": keys and names differ in order.
      server_.Set(fmt::format("p/.index/e{}{}.json", i / 3,
                              i % 3 == 0 ? "" : fmt::format("-{}", i % 3 + 1)),
                  index);
  };
  add(0, 2100);
  EXPECT_EQ(Names(theirs_).size(), 2101u);
  add(2100, 2200);
  server_.Erase("p/.index/e100.json");
  server_.Set("p/.index/zz.json", index);
  int lists = 0;
  server_.fault = [&](const httplib::Request& request) -> std::optional<Answer> {
    lists += request.has_param("list-type") ? 1 : 0;
    return std::nullopt;
  };
  EXPECT_EQ(Names(theirs_).size(), 2201u);
  EXPECT_GE(lists, 8);
}

TEST_F(MirrorTest, WritersOnManyMachinesLoseNothing) {
  std::vector<fs::path> machines;
  for (int i = 0; i < 4; ++i) machines.push_back(Machine("machine" + std::to_string(i)));
  std::vector<std::thread> threads;
  for (const fs::path& machine : machines)
    threads.emplace_back([&machine] {
      for (int i = 0; i < 3; ++i) {
        Write(machine, "same");
        EXPECT_TRUE(PushMirror(machine).ok());
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Names(theirs_).size(), 12u);
  for (const std::string& name : Names(theirs_)) EXPECT_EQ(Spans(theirs_, name), 20);
}

TEST_F(MirrorTest, StoresThatAreNoMirrorsAskNobody) {
  const fs::path store = folder_.path() / "local";
  Write(store, "a");
  EXPECT_EQ(List(store).value().size(), 1u);
  EXPECT_TRUE(PushMirror(store).ok());
  EXPECT_FALSE(MirroredUrl(store));
  EXPECT_EQ(server_.requests(), 0);
}

}  // namespace
}  // namespace xsp::store
