#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "api/operations/operation_list.h"
#include "core/json_text.h"
#include "os/paths.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::EndsWith;

void AddExperiment(const fs::path& store, const std::string& name) {
  auto writer = store::ExperimentWriter::Create(store, name).value();
  ASSERT_TRUE(writer.AddRun("r", store::RandomTrace(1, 10), "{}").ok());
  ASSERT_TRUE(
      writer.Commit(core::JsonText(json{{"kind", "run"}, {"model", "m"}, {"status", "done"}}))
          .ok());
}

/// Reads along: after the first note the store gets another experiment, after the second it ends.
class PublishReader final : public core::Progress {
 public:
  explicit PublishReader(const fs::path& store) : store_(store) {}

  void Step(std::string_view, double, double) override {}
  void Note(std::string_view message) override {
    notes.emplace_back(message);
    if (notes.size() == 1) AddExperiment(store_, "second");
    if (notes.size() == 2) interrupts.Request();
  }

  os::Interrupts interrupts;
  std::vector<std::string> notes;

 private:
  fs::path store_;
};

/// The built pages (short ones), beside what else belongs to the program.
class PublishOperationTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(home() / "web/dist/site");
    for (const char* name : {"levels", "analyses", "findings"})
      fs::create_directory_symlink(os::DataRoot() / name, home() / name);
    for (const char* page : {"report.html", "site/index.html"})
      std::ofstream(home() / "web/dist" / page) << "<p>__XSP_REPORT_DATA__</p>";
    if (const char* old = std::getenv("XSP_HOME")) old_home_ = old;
    setenv("XSP_HOME", home().c_str(), 1);
  }
  void TearDown() override {
    old_home_.empty() ? unsetenv("XSP_HOME") : setenv("XSP_HOME", old_home_.c_str(), 1);
  }
  fs::path home() const { return folder_.path() / "home"; }

  store::TestFolder folder_;
  std::string old_home_;
};

TEST_F(PublishOperationTest, WatchSaysWhatEachPublicationDid) {
  Context context;
  context.store = folder_.path() / "store";
  AddExperiment(context.store, "first");
  PublishReader reader(context.store);
  context.progress = &reader;
  context.interrupts = [&reader]() -> os::Interrupts& { return reader.interrupts; };
  const auto done = Perform("publish",
                            {{"directory", (folder_.path() / "site").string()},
                             {"watch", true},
                             {"interval", 0.1},
                             {"reports", 0}},
                            context);
  ASSERT_TRUE(done.ok()) << done.error().what;
  ASSERT_EQ(reader.notes.size(), 2u);
  EXPECT_THAT(reader.notes[0], EndsWith(": 1 on the site, 1 written, 0 removed"));
  EXPECT_THAT(reader.notes[1], EndsWith(": 2 on the site, 1 written, 0 removed"));
  const json document = ToJson(done.value());
  EXPECT_EQ(document["experiments"], 2);
  EXPECT_EQ(document["changed"], 2);
  EXPECT_EQ(done.value().exit_status, 0);
}

}  // namespace
}  // namespace xsp::api
