#include "answer/publish/publish.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>

#include "core/json_text.h"
#include "derive/history/history_testing.h"
#include "os/files.h"
#include "os/paths.h"
#include "store/experiment_changes.h"
#include "store/store_testing.h"
#include "store/thread_sanitizer_testing.h"

namespace xsp::publish {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

/// A store, the built pages (short ones), and a folder for the site.
class PublishTest : public testing::Test {
 protected:
  PublishTest() {
    // Reports read which levels an experiment may lack.
    fs::create_directories(home());
    fs::create_directory_symlink(os::DataRoot() / "levels", home() / "levels");
    setenv("XSP_HOME", home().c_str(), 1);
    Put(home() / "web/dist/report.html", "<p>__XSP_REPORT_DATA__</p>");
    Put(home() / "web/dist/site/index.html",
        "<title>__XSP_TITLE__</title><script src=\"__XSP_INDEX__\"></script>__XSP_REPORT_PAGE__");
    Put(home() / "web/dist/site/assets/site-1.js", "script");
    request_.store = folder_.path() / "store";
    request_.title = "Results";
    request_.progress = &progress_;
    request_.history = [this](const std::string& model) -> Result<json> {
      ++histories_[model];
      return json{{"model", model}};
    };
  }

  fs::path home() const { return folder_.path() / "home"; }
  fs::path site() const { return folder_.path() / "site"; }

  static void Put(const fs::path& file, std::string_view text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }

  fs::path Add(const std::string& name, const std::string& model = "net") const {
    history::TestExperiment experiment;
    experiment.name = name;
    experiment.created = history::TestDate(++day_);
    experiment.model = model;
    return history::WriteTestExperiment(request_.store, experiment);
  }

  Result<Published> TryPublish() const {
    auto folder = SiteFolder::Open(site());
    if (!folder.ok()) return folder.error();
    return PublishAll(folder.value(), request_);
  }

  Published Update() const {
    auto published = TryPublish();
    EXPECT_TRUE(published.ok()) << published.error().what;
    return published.ok() ? published.value() : Published{};
  }

  /// Inode and time of each file of the site, by name.
  std::map<std::string, std::pair<std::uint64_t, std::int64_t>> Files() const {
    std::map<std::string, std::pair<std::uint64_t, std::int64_t>> files;
    for (const auto& entry : fs::recursive_directory_iterator(site())) {
      struct stat state {};
      if (!entry.is_regular_file() || stat(entry.path().c_str(), &state) != 0) continue;
      files[fs::relative(entry.path(), site()).string()] = {
          state.st_ino, state.st_mtim.tv_sec * 1'000'000'000 + state.st_mtim.tv_nsec};
    }
    return files;
  }

  std::string Read(const fs::path& name) const { return os::ReadFile(site() / name).value(); }

  json Manifest() const { return core::ParseJson(Read("site.json")); }

  /// The document that index.html leads to.
  json Index() const { return DocumentIn(Manifest()["keep"], "data/site-"); }

  json DocumentIn(const json& names, std::string_view prefix) const {
    for (const std::string name : names) {
      if (!name.starts_with(prefix)) continue;
      const std::string script = Read(name);
      const json arguments = core::ParseJson("[" + script.substr(12, script.size() - 12 - 2) + "]");
      return core::ParseJson(arguments[1].get<std::string>());
    }
    return {};
  }

  std::string FolderOf(const std::string& name) const {
    return "experiments/" + Manifest()["experiments"][name]["folder"].get<std::string>();
  }

  store::TestFolder folder_;
  core::NoProgress progress_;
  SiteRequest request_;
  std::map<std::string, int> histories_;
  mutable int day_ = 0;
};

TEST_F(PublishTest, SiteHasEveryExperimentWithItsTablesAndReport) {
  Add("e1");
  Add("e2");
  const Published published = Update();
  EXPECT_EQ(published.experiments, 2u);
  EXPECT_EQ(published.changed, 2u);
  EXPECT_EQ(published.reports, 2u);
  const json index = Index();
  ASSERT_EQ(index["experiments"].size(), 2u);
  EXPECT_EQ(index["experiments"][0]["name"], "e2");  // The newest first.
  EXPECT_EQ(index["experiments"][0]["machine"], "Test CPU, 4 threads");
  EXPECT_EQ(index["experiments"][0]["points"][0]["latency_low_ns"], 0.99e6);
  EXPECT_EQ(index["experiments"][0]["report"], true);
  for (const char* file : {"experiment.js", "report.js", "findings.js", "point.parquet",
                           "point.csv", "point.json", "layer.csv"})
    EXPECT_TRUE(fs::exists(site() / FolderOf("e1") / file)) << file;
  EXPECT_THAT(Read(FolderOf("e1") + "/layer.csv"), HasSubstr("features.conv1"));
}

TEST_F(PublishTest, NothingIsWrittenWhereNothingChanged) {
  Add("e1");
  Update();
  const auto before = Files();
  EXPECT_FALSE(Update().is_switched);
  EXPECT_EQ(Files(), before);
}

TEST_F(PublishTest, OnlyTheFilesOfAChangedExperimentAreWritten) {
  Add("e1", "other");
  Add("e2");
  Update();
  const auto before = Files();
  const std::string unchanged = FolderOf("e1"), old = FolderOf("e2");
  ASSERT_TRUE(store::TagExperiment(request_.store, "e2", {{"a", "b"}}).ok());
  EXPECT_EQ(Update().changed, 1u);
  const auto after = Files();
  for (const auto& [name, state] : before) {
    const bool is_shared = name.starts_with(unchanged) || name.starts_with("assets/") ||
                           name.starts_with("data/history-other");
    if (is_shared) {
      EXPECT_EQ(after.at(name), state) << name;
    }
    EXPECT_FALSE(after.contains(name) && name.starts_with(old)) << name;
  }
  EXPECT_EQ(Index()["experiments"][0]["tags"]["a"], "b");
  EXPECT_EQ(histories_["other"], 1);
  EXPECT_EQ(histories_["net"], 2);
}

TEST_F(PublishTest, RemovedExperimentLeavesTheSite) {
  Add("e1");
  Add("e2");
  Update();
  const std::string gone = FolderOf("e1");
  ASSERT_TRUE(store::RemoveExperiment(request_.store, "e1").ok());
  EXPECT_EQ(Update().removed, 1u);
  EXPECT_FALSE(fs::exists(site() / gone));
  EXPECT_EQ(Index()["experiments"].size(), 1u);
}

TEST_F(PublishTest, TablesAreNamesOfTheFilesInTheStore) {
  const fs::path experiment = Add("e1");
  Update();
  EXPECT_EQ(fs::hard_link_count(experiment / "point.parquet"), 2u);
  // The link is replaced, not written to.
  auto folder = SiteFolder::Open(site());
  ASSERT_TRUE(folder.ok());
  ASSERT_TRUE(folder.value().Write(FolderOf("e1") + "/point.parquet", "x").ok());
  EXPECT_GT(fs::file_size(experiment / "point.parquet"), 1u);
}

TEST_F(PublishTest, FolderWithOtherFilesIsLeftAlone) {
  Put(site() / "thesis.tex", "years");
  const auto refused = TryPublish();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kUsage);
  EXPECT_EQ(Files().size(), 1u);
}

TEST_F(PublishTest, SiteOfANewerVersionIsLeftAlone) {
  Put(site() / "site.json", R"({"format": "xsp-site", "format_version": 99})");
  EXPECT_EQ(TryPublish().error().kind, ErrorKind::kBadInput);
}

TEST_F(PublishTest, OneProcessPublishesIntoAFolder) {
  const auto held = SiteFolder::Open(site());
  ASSERT_TRUE(held.ok());
  EXPECT_EQ(TryPublish().error().kind, ErrorKind::kEnvironment);
}

TEST_F(PublishTest, WhatAKilledPublisherLeftIsRemoved) {
  Add("e1");
  Update();
  const auto whole = Files();
  Put(site() / "experiments/e9-0123456789abcdef/report.js", "hal");
  Put(site() / "data/site-0123.js.tmp", "hal");
  Update();
  EXPECT_EQ(Files(), whole);
}

TEST_F(PublishTest, FailedWriteLeavesTheOldSite) {
  Add("e1");
  Update();
  const auto whole = Files();
  Add("e2");
  rlimit old{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &old), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = old;
  small.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto failed = TryPublish();
  setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, handler);
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind, ErrorKind::kEnvironment);
  EXPECT_EQ(Files(), whole);
  EXPECT_EQ(Update().experiments, 2u);
}

TEST_F(PublishTest, SelectionIsByModelBackendAndTag) {
  Add("e1", "other");
  Add("e2");
  Add("e3");
  ASSERT_TRUE(store::TagExperiment(request_.store, "e3", {{"keep", "yes"}}).ok());
  request_.models = {"net"};
  EXPECT_EQ(Update().experiments, 2u);
  request_.tags = {"keep=yes"};
  EXPECT_EQ(Update().experiments, 1u);
  request_.backends = {"onnx"};
  const auto none = TryPublish();
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(Index()["experiments"].size(), 1u);
}

TEST_F(PublishTest, OnlyTheNewestHaveReports) {
  Add("e1");
  Add("e2");
  request_.reports = 1;
  EXPECT_EQ(Update().reports, 1u);
  const json experiments = Index()["experiments"];
  EXPECT_EQ(experiments[0]["report"], true);
  EXPECT_EQ(experiments[1]["report"], false);
}

TEST_F(PublishTest, AReportThatFailedIsThereOnceItsAnalysesAreMended) {
  Add("e1");
  analyze::Analysis broken;
  broken.id = "own";
  broken.needs = {"model"};
  broken.sql = "SELECT nothing FROM point";
  request_.analyses = {broken};
  EXPECT_EQ(Update().reports, 0u);
  EXPECT_EQ(Index()["experiments"][0]["report"], false);
  request_.analyses = {};
  EXPECT_EQ(Update().reports, 1u);
  EXPECT_EQ(Index()["experiments"][0]["report"], true);
}

TEST_F(PublishTest, NamesWithMarkupAreDataAndStayInTheFolder) {
  const std::string name = "<img src=x onerror=alert(1)> \"&' #?%..";
  fs::rename(Add("e1"), request_.store / name);
  request_.title = "</title><script>alert(1)</script>";
  request_.base_url = "https://example.org/r";
  Update();
  EXPECT_EQ(Index()["experiments"][0]["name"], name);
  EXPECT_THAT(FolderOf(name), testing::MatchesRegex("experiments/[-._A-Za-z0-9]+"));
  EXPECT_THAT(Read("index.html"), Not(HasSubstr("<script>alert")));
  EXPECT_THAT(Read("feed.xml"), Not(HasSubstr("<img")));
  EXPECT_THAT(Read("feed.xml"), HasSubstr("https://example.org/r/index.html#/experiments/%3Cimg"));
}

TEST_F(PublishTest, TheFeedGoesWithTheAddressOfTheSite) {
  Add("e1");
  request_.base_url = "https://example.org/r";
  Update();
  EXPECT_EQ(Index()["has_feed"], true);
  EXPECT_TRUE(fs::exists(site() / "feed.xml"));
  request_.base_url.clear();
  Update();
  EXPECT_EQ(Index()["has_feed"], false);
  EXPECT_FALSE(fs::exists(site() / "feed.xml"));
  // An earlier version left it.
  Put(site() / "feed.xml", "<feed/>");
  EXPECT_FALSE(Update().is_switched);
  EXPECT_FALSE(fs::exists(site() / "feed.xml"));
}

TEST_F(PublishTest, AModelWithoutAHistoryIsAskedOnceForEachSetOfExperiments) {
  Add("e1");
  int asked = 0;
  request_.history = [&asked](const std::string&) -> Result<json> {
    ++asked;
    return Error{ErrorKind::kBadInput, "no point", ""};
  };
  Update();
  const auto files = Files();
  const int first = asked;
  EXPECT_GT(first, 0);
  EXPECT_FALSE(Update().is_switched);
  EXPECT_EQ(asked, first);
  EXPECT_EQ(Files(), files);
  Add("e2");
  Update();
  EXPECT_GT(asked, first);
  // What may be different the next time is asked for again.
  request_.history = [&asked](const std::string&) -> Result<json> {
    ++asked;
    return Error{ErrorKind::kEnvironment, "no memory", ""};
  };
  Add("e3");
  Update();
  const int before = asked;
  Update();
  EXPECT_GT(asked, before);
}

TEST_F(PublishTest, UnreadableExperimentIsCountedAndLeftOut) {
  Add("e1");
  Put(request_.store / "e2/experiment.json", "{");
  const Published published = Update();
  EXPECT_EQ(published.experiments, 1u);
  EXPECT_EQ(published.unreadable, 1u);
}

}  // namespace
}  // namespace xsp::publish
