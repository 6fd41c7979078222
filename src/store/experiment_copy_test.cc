#include "store/experiment_copy.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "os/files.h"
#include "store/catalogue.h"
#include "store/experiment_archive.h"
#include "store/experiment_changes.h"
#include "store/experiment_name.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"
#include "store/zip_file.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Two stores, the first with the experiment "a".
class ExperimentCopyTest : public testing::Test {
 protected:
  ExperimentCopyTest() { Write("a", 1); }

  void Write(const std::string& name, std::uint32_t seed) {
    ExperimentWriter writer = ExperimentWriter::Create(from(), name).value();
    EXPECT_TRUE(writer.AddRun("r", RandomTrace(seed, 500), "{}").ok());
    EXPECT_TRUE(writer.Commit(R"({"kind": "run", "model": "m", "status": "done"})").ok());
  }
  fs::path from() const { return folder_.path() / "from"; }
  fs::path to() const { return folder_.path() / "to"; }
  fs::path archive() const { return folder_.path() / "all.zip"; }

  Arrival Copy(const std::string& name) {
    const auto arrival = CopyExperiment(from(), name, to());
    EXPECT_TRUE(arrival.ok()) << (arrival.ok() ? "" : arrival.error().what);
    return arrival.ok() ? arrival.value() : Arrival();
  }
  Result<WrittenArchive> Export(const std::vector<std::string>& names) {
    return WriteArchive(from(), names, archive(), nobody_, [] { return false; });
  }
  Result<std::vector<Arrival>> Import() {
    XSP_TRY(const std::vector<ArchivedExperiment> all, ListArchive(archive()));
    return ReadArchive(archive(), all, to(), nobody_, [] { return false; });
  }
  /// Writes an archive of these members in place of the one of Export().
  void Forge(const json& list, const std::vector<std::pair<std::string, std::string>>& members) {
    ZipWriter zip = ZipWriter::Create(archive()).value();
    ASSERT_TRUE(zip.AddText("xsp-experiments.json", core::JsonText(list)).ok());
    for (const auto& [name, text] : members) ASSERT_TRUE(zip.AddText(name, text).ok());
    ASSERT_TRUE(zip.Finish([](double) { return false; }).ok());
  }
  /// Names in the second store and everything hidden in it.
  std::vector<std::string> There() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(to(), error))
      names.push_back(entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }

  TestFolder folder_;
  core::NoProgress nobody_;
};

TEST_F(ExperimentCopyTest, ACopyHasTheSameFiles) {
  const Arrival arrival = Copy("a");
  EXPECT_EQ(arrival.name, "a");
  EXPECT_FALSE(arrival.was_there);
  EXPECT_EQ(FilesBelow(to() / "a").value(), FilesBelow(from() / "a").value());
  EXPECT_THAT(There(), ElementsAre("a"));
}

TEST_F(ExperimentCopyTest, WhatIsThereIsNotCopiedAgain) {
  Copy("a");
  // Tags are no data.
  ASSERT_TRUE(TagExperiment(to(), "a", {{"gpu", "none"}}).ok());
  const Arrival again = Copy("a");
  EXPECT_EQ(again.name, "a");
  EXPECT_TRUE(again.was_there);
  EXPECT_THAT(There(), ElementsAre("a"));
}

TEST_F(ExperimentCopyTest, ATakenNameGetsANumber) {
  Copy("a");
  ASSERT_TRUE(RemoveExperiment(from(), "a").ok());
  Write("a", 2);
  EXPECT_EQ(Copy("a").name, "a-2");
  EXPECT_TRUE(Copy("a").was_there);
  EXPECT_THAT(There(), ElementsAre("a", "a-2"));
  const json experiment = core::ParseJson(os::ReadFile(to() / "a-2" / "experiment.json").value());
  EXPECT_EQ(experiment["name"], "a-2");
}

TEST_F(ExperimentCopyTest, UnfinishedOnesAreNotCopied) {
  fs::remove(from() / "a" / "experiment.json");
  const auto refused = CopyExperiment(from(), "a", to());
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(There(), IsEmpty());
}

TEST_F(ExperimentCopyTest, AnArchiveBringsWhatItWasMadeOf) {
  Write("b", 2);
  const auto written = Export({"a", "b"});
  ASSERT_TRUE(written.ok()) << written.error().what;
  EXPECT_EQ(written.value().experiments, 2U);
  const auto arrivals = Import();
  ASSERT_TRUE(arrivals.ok()) << arrivals.error().what;
  EXPECT_EQ(arrivals.value().size(), 2U);
  for (const char* name : {"a", "b"})
    EXPECT_EQ(FilesBelow(to() / name).value(), FilesBelow(from() / name).value());
  const auto again = Import();
  ASSERT_TRUE(again.ok());
  EXPECT_TRUE(again.value()[0].was_there && again.value()[1].was_there);
  EXPECT_THAT(There(), ElementsAre("a", "b"));
}

TEST_F(ExperimentCopyTest, ADamagedArchiveLeavesNothing) {
  ASSERT_TRUE(Export({"a"}).ok());
  const std::uint64_t bytes = fs::file_size(archive());
  // Of each byte that is changed either the file's format or a checksum tells.
  int refused = 0;
  for (std::uint64_t at = 7; at < bytes; at += bytes / 40) {
    std::fstream stream(archive(), std::ios::in | std::ios::out | std::ios::binary);
    stream.seekg(static_cast<std::streamoff>(at));
    const char before = static_cast<char>(stream.get());
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(static_cast<char>(before ^ 0x55));
    stream.flush();
    const auto arrivals = Import();
    if (arrivals.ok()) {
      // Parts of a ZIP file that nothing depends on: dates, for one.
      EXPECT_EQ(FilesBelow(to() / "a").value(), FilesBelow(from() / "a").value()) << at;
      fs::remove_all(to());
    } else {
      ++refused;
      EXPECT_EQ(arrivals.error().kind, ErrorKind::kBadInput) << at << arrivals.error().what;
      EXPECT_THAT(There(), IsEmpty()) << at;
    }
    stream.seekp(static_cast<std::streamoff>(at));
    stream.put(before);
  }
  EXPECT_GT(refused, 30);
  fs::resize_file(archive(), bytes / 2);
  EXPECT_FALSE(Import().ok());
  EXPECT_THAT(There(), IsEmpty());
}

TEST_F(ExperimentCopyTest, AHostileArchiveReachesNothing) {
  const auto file = [](const std::string& path, std::uint64_t bytes) {
    return json{{"path", path}, {"bytes", bytes}, {"sha256", std::string(64, '0')}};
  };
  const auto list = [](const std::string& name, const json& files) {
    return json{{"format_version", 1},
                {"experiments", json::array({json{{"name", name}, {"files", files}}})}};
  };
  const json plain = file("experiment.json", 2);
  const std::vector<std::pair<json, std::string>> cases = {
      {list("../a", json::array({plain})), "not the name"},
      {list(".a", json::array({plain})), "not the name"},
      {list("latest", json::array({plain})), "not the name"},
      {list("a", json::array({plain, file("../../x", 2)})), "not the path"},
      {list("a", json::array({plain, file("/tmp/x", 2)})), "not the path"},
      {list("a", json::array({plain, file("r/.hidden", 2)})), "not the path"},
      {list("a", json::array({plain, plain})), "not the path"},
      {list("a", json::array({file("r/run.json", 2)})), "no experiment.json"},
      {list("a", json::array({file("experiment.json", 1)})), "larger than"},
      {list("a", json::array({file("experiment.json", 3)})), "instead of"},
      {list("a", json::array({plain})), "checksum"},
      {list("b", json::array({plain})), "b/experiment.json"},
      {json{{"format_version", 1}, {"experiments", 7}}, "damaged"},
      {json{{"format_version", 2}}, "newer"},
      {json::array(), "damaged"},
  };
  for (const auto& [forged, what] : cases) {
    Forge(forged, {{"a/experiment.json", "{}"}, {"a/../../x", "{}"}});
    const auto refused = Import();
    ASSERT_FALSE(refused.ok()) << core::JsonText(forged);
    EXPECT_THAT(refused.error().what, HasSubstr(what)) << core::JsonText(forged);
    EXPECT_THAT(There(), IsEmpty());
  }
  // A file that would fill any disk.
  Forge(list("a", json::array({file("experiment.json", std::uint64_t{1} << 60)})),
        {{"a/experiment.json", "{}"}});
  EXPECT_EQ(Import().error().kind, ErrorKind::kEnvironment);
}

TEST_F(ExperimentCopyTest, WhatIsNoArchiveIsSaid) {
  EXPECT_THAT(ListArchive(folder_.path() / "none.zip").error().what, HasSubstr("none.zip"));
  std::ofstream(archive()) << "text";
  EXPECT_EQ(ListArchive(archive()).error().kind, ErrorKind::kBadInput);
}

TEST_F(ExperimentCopyTest, AnInterruptionLeavesTheEarlierArchive) {
  std::ofstream(archive()) << "earlier";
  const auto stopped = WriteArchive(from(), {"a"}, archive(), nobody_,
                                    [asked = 0]() mutable { return ++asked > 1; });
  ASSERT_FALSE(stopped.ok());
  EXPECT_EQ(stopped.error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(os::ReadFile(archive()).value(), "earlier");
}

TEST(ExperimentNameTest, TheNextNameKeepsDatesAndTimes) {
  EXPECT_EQ(NextName("a"), "a-2");
  EXPECT_EQ(NextName("a-2"), "a-3");
  EXPECT_EQ(NextName("a-9999"), "a-10000");
  EXPECT_EQ(NextName("resnet50-20260101-120000"), "resnet50-20260101-120000-2");
  EXPECT_EQ(NextName("resnet50-20260101-000002"), "resnet50-20260101-000002-2");
  EXPECT_EQ(NextName("a-b"), "a-b-2");
  EXPECT_EQ(NextName("a-1"), "a-1-2");
}

}  // namespace
}  // namespace xsp::store
