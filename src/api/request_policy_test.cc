#include "api/request_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <random>
#include <vector>

#include "os/scratch_folder.h"

namespace xsp::api {
namespace {

namespace fs = std::filesystem;
using core::Refers;
using nlohmann::json;
using testing::HasSubstr;

struct ReferringRequest {
  std::string run, model, manifest, plain;
  std::vector<std::string> sides, files, program, command;
  fs::path output, page, required;
};

const Operation kReferring = {
    .name = "refer",
    .summary = "Refers to files",
    .example = "xsp refer",
    .effect = Effect::kReads,
    .result = R"({"type": "object"})",
    .declare = [](core::RequestFields& fields, const Context&) -> Action {
      auto request = std::make_shared<ReferringRequest>();
      fields.Add("run", &request->run, {.help = "A run", .refers = Refers::kStored});
      fields.Add("sides", &request->sides, {.help = "Sides", .refers = Refers::kStored});
      fields.Add("model", &request->model, {.help = "A model", .refers = Refers::kModel});
      fields.Add("manifest", &request->manifest,
                 {.help = "A manifest", .refers = Refers::kManifest});
      fields.Add("files", &request->files, {.help = "Files", .refers = Refers::kInput});
      fields.Add("output", &request->output, {.help = "A file", .refers = Refers::kOutput});
      fields.Add("page", &request->page, {.help = "A page", .refers = Refers::kOutputPage});
      fields.Add("command", &request->command, {.help = "Jobs", .refers = Refers::kProgram});
      fields.Add("program", &request->program, {.help = "A program", .program = true});
      fields.Add("plain", &request->plain, {.help = "A text"});
      fields.Add("required", &request->required,
                 {.help = "A file", .refers = Refers::kInput, .required = true});
      return [request]() -> Result<Document> { return Document{.content = json::object()}; };
    },
};

void Touch(const fs::path& file) {
  fs::create_directories(file.parent_path());
  std::ofstream(file) << "text";
}

/// A machine of which little may be reached, with a working folder of its own.
class CheckReachTest : public testing::Test {
 protected:
  CheckReachTest() : folder_(os::ScratchFolder::Create().value()), before_(fs::current_path()) {
    const fs::path root = fs::canonical(folder_.path());
    files_ = {root / "store", {root / "uploads"}, {root / "models"}};
    Touch(root / "store" / "before" / "run-1" / "span.parquet");
    Touch(root / "store" / "taken" / "experiment.json");
    Touch(root / "uploads" / "trace.json");
    Touch(root / "uploads-of-others" / "trace.json");
    Touch(root / "models" / "net.onnx");
    Touch(root / "secret" / "key");
    Touch(root / "work" / "taken");
    Touch(root / "work" / "before#batch=8");
    Touch(root / "work" / "resnet50");
    for (const char* place : {"store", "uploads", "models"}) {
      fs::create_symlink(root / "secret", root / place / "link");
      fs::create_symlink(root / place, root / "work" / (std::string("to-") + place));
    }
    fs::create_symlink(root / "store" / "before", root / "store" / "alias");
    fs::create_symlink(root / "nowhere", root / "work" / "dangling");
    fs::current_path(root / "work");
    root_ = root;
  }
  ~CheckReachTest() override { fs::current_path(before_); }

  /// What CheckReach() says; empty: nothing.
  std::string Said(json request) const {
    const Status checked = CheckReach(kReferring, request, files_);
    if (checked.ok()) return "";
    EXPECT_EQ(checked.error().kind, ErrorKind::kUsage);
    EXPECT_FALSE(checked.error().hint.empty());
    EXPECT_TRUE(request.contains(checked.error().field));
    return checked.error().what;
  }
  bool Takes(const char* field, const json& value) const { return Said({{field, value}}).empty(); }

  fs::path root_;
  ReachableFiles files_;

 private:
  os::ScratchFolder folder_;
  fs::path before_;
};

TEST_F(CheckReachTest, TakesNamesInTheStore) {
  for (const char* name :
       {"before", "before/run-1", "latest", "", "alias", "alias/run-1",
        "before#batch=4,backend=torch 2.1", "not-there", "mlperf-v0.5", "größer"})
    EXPECT_TRUE(Takes("run", name)) << name;
  EXPECT_TRUE(Takes("sides", {"before", "latest"}));
}

TEST_F(CheckReachTest, RefusesWhatIsNoNameInTheStore) {
  const std::string store = files_.store.string();
  for (const std::string& name : {std::string("/etc"),
                                  store,
                                  store + "/before",
                                  std::string(".."),
                                  std::string("../secret"),
                                  std::string("before/../../secret"),
                                  std::string("before/.."),
                                  std::string("."),
                                  std::string(".hidden"),
                                  std::string("~"),
                                  std::string("~root"),
                                  std::string("before/"),
                                  std::string("before//run-1"),
                                  std::string("before/run-1/span.parquet"),
                                  std::string("/"),
                                  std::string("#batch=8"),
                                  std::string("before#a=b#c=d"),
                                  std::string("before#model=/etc"),
                                  std::string("before\n"),
                                  std::string("before\0/etc", 11),
                                  std::string("\x7f"),
                                  std::string(5000, 'a'),
                                  std::string(5000, '/'),
                                  std::string("before#") + std::string(5000, 'a')})
    EXPECT_FALSE(Takes("run", name)) << name;
  EXPECT_FALSE(Takes("sides", {"before", "../secret"}));
  EXPECT_FALSE(Takes("sides", {"before", ""}));
}

TEST_F(CheckReachTest, FollowsLinksOfTheStore) {
  EXPECT_FALSE(Takes("run", "link"));
  EXPECT_FALSE(Takes("run", "link/key"));
}

TEST_F(CheckReachTest, RefusesNamesThatTheWorkingFolderHas) {
  EXPECT_FALSE(Takes("run", "taken"));
  EXPECT_FALSE(Takes("run", "dangling"));
  EXPECT_FALSE(Takes("run", "before#batch=8"));
  EXPECT_FALSE(Takes("model", "resnet50"));
  EXPECT_FALSE(Takes("model", "dangling"));
  EXPECT_FALSE(Takes("files", {"taken"}));
  fs::current_path(files_.store);
  EXPECT_TRUE(Takes("run", "taken"));
  EXPECT_FALSE(Takes("run", "link"));
}

TEST_F(CheckReachTest, TakesModelsOfTheZooAndOfItsFolders) {
  for (const std::string& model :
       {std::string("resnet18"), std::string("bert_base-v1.5"),
        (root_ / "models" / "net.onnx").string(), (root_ / "models" / "not-there.onnx").string(),
        std::string("to-models/net.onnx")})
    EXPECT_TRUE(Takes("model", model)) << model;
  for (const std::string& model :
       {(root_ / "models" / "link" / "key").string(), (root_ / "secret" / "key").string(),
        (root_ / "models").string() + "/../secret/key", std::string("dir/net.onnx"),
        std::string(".hidden"), std::string("-x"), std::string("a b"), std::string(300, 'a')})
    EXPECT_FALSE(Takes("model", model)) << model;
}

TEST_F(CheckReachTest, RefusesManifestsOfStrangers) {
  EXPECT_FALSE(Takes("model", (root_ / "uploads" / "net.onnx").string()));
  files_.models.push_back(root_ / "uploads");
  EXPECT_TRUE(Takes("model", (root_ / "uploads" / "net.onnx").string()));
  EXPECT_TRUE(Takes("model", (root_ / "models" / "net.yaml").string()));
  for (const char* name : {"net.yaml", "net.yml"}) {
    EXPECT_THAT(Said({{"model", (root_ / "uploads" / name).string()}}), HasSubstr("manifest"));
    EXPECT_FALSE(Takes("model", "to-uploads/" + std::string(name)));
  }
  EXPECT_TRUE(Takes("manifest", (root_ / "models" / "net.yaml").string()));
  for (const std::string& file :
       {(root_ / "uploads" / "net.yaml").string(), (root_ / "uploads" / "net.onnx").string(),
        std::string("to-uploads/net.onnx"), (root_ / "models" / "link" / "key").string(),
        (root_ / "models").string() + "/../uploads/net.yaml", std::string("net.yaml")})
    EXPECT_THAT(Said({{"manifest", file}}), HasSubstr("manifest")) << file;
}

TEST_F(CheckReachTest, TakesInputsInTheirFolders) {
  const std::string uploads = files_.inputs.front().string();
  EXPECT_TRUE(Takes("files", {uploads + "/trace.json", uploads, uploads + "/", uploads + "/new"}));
  EXPECT_TRUE(Takes("files", {"to-uploads/trace.json", "mlperf-v0.5"}));
  EXPECT_TRUE(Takes("files", json::array()));
  for (const std::string& file :
       {uploads + "-of-others/trace.json", uploads + "/link/key", uploads + "/../secret/key",
        uploads + "/none/../trace.json", uploads + std::string("/trace.json\0/../x", 17),
        std::string("/etc/passwd"), std::string("kind:path=/etc"),
        std::string("uploads/trace.json")})
    EXPECT_FALSE(Takes("files", json::array({file}))) << file;
  files_.inputs = {root_ / "uploads" / "trace.json", fs::path()};
  EXPECT_TRUE(Takes("files", {uploads + "/trace.json"}));
  EXPECT_FALSE(Takes("files", {uploads + "/new"}));
  EXPECT_FALSE(Takes("files", {"/"}));
}

TEST_F(CheckReachTest, RefusesFilesThatAreWrittenAndPrograms) {
  EXPECT_THAT(Said({{"output", "out.csv"}}), HasSubstr("writes a file"));
  EXPECT_THAT(Said({{"page", (root_ / "uploads" / "page.html").string()}}), HasSubstr("page"));
  EXPECT_THAT(Said({{"program", {"true"}}}), HasSubstr("starts a program"));
  EXPECT_THAT(Said({{"command", {"true"}}}), HasSubstr("starts a program"));
  EXPECT_TRUE(Takes("output", ""));
  EXPECT_TRUE(Takes("program", json::array()));
  EXPECT_TRUE(Takes("plain", "/etc/passwd"));
}

TEST_F(CheckReachTest, LeavesOtherTypesAndFieldsToTheReader) {
  for (const json& value : {json(), json(7), json(true), json::object({{"a", "/etc"}})})
    for (const char* field : {"run", "files", "output", "program"})
      EXPECT_TRUE(Takes(field, value)) << field << value;
  EXPECT_TRUE(Takes("no_such", "/etc"));
  EXPECT_TRUE(CheckReach(kReferring, json("/etc"), files_).ok());
  // But each text of a list that is wrong elsewhere is looked at.
  EXPECT_FALSE(Takes("files", {7, "/etc"}));
  EXPECT_FALSE(Takes("files", "/etc"));
  EXPECT_FALSE(Takes("required", ""));
}

/// Where `path` leads; empty: nowhere.
std::string WhereTo(const fs::path& path) {
  char* const real = realpath(path.c_str(), nullptr);
  const std::string where = real == nullptr ? "" : real;
  std::free(real);
  return where;
}

bool LiesIn(const std::string& where, const fs::path& root) {
  return where.empty() || where == root.string() || where.starts_with(root.string() + "/");
}

TEST_F(CheckReachTest, LetsNoRandomTextLeadOutside) {
  std::mt19937 random(7);
  const std::vector<std::string> parts = {
      "/",         "/",          "..",       ".",
      "~",         "#",          "link",     "before",
      "run-1",     "alias",      "key",      "to-store",
      "to-models", "to-uploads", "dangling", "taken",
      "secret",    "store",      "work",     root_.string(),
      "uploads",   "models",     "#batch=8", std::string(1, '\0')};
  int taken = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (std::uint32_t n = 1 + random() % 7; n > 0; --n) text += parts[random() % parts.size()];
    const std::string name = text.substr(0, text.find('#'));
    if (Takes("sides", json::array({text}))) {
      ++taken;
      EXPECT_TRUE(LiesIn(WhereTo(files_.store / name), files_.store)) << text;
      EXPECT_TRUE(LiesIn(WhereTo(name), files_.store)) << text;
      EXPECT_TRUE(LiesIn(WhereTo(text), files_.store)) << text;
    }
    if (Takes("files", json::array({text}))) {
      ++taken;
      EXPECT_TRUE(LiesIn(WhereTo(text), files_.inputs.front())) << text;
    }
    if (Takes("model", text)) {
      ++taken;
      EXPECT_TRUE(LiesIn(WhereTo(text), files_.models.front())) << text;
    }
  }
  EXPECT_GT(taken, 100);
}

TEST(NamedExperiments, AreThoseOfFieldsThatReferToTheStore) {
  using Names = std::vector<std::string>;
  EXPECT_EQ(NamedExperiments(kReferring, {{"run", "a/run-1"},
                                          {"sides", json::array({"b#batch=8", "c"})},
                                          {"plain", "d"},
                                          {"model", "e"}}),
            (Names{"a", "b", "c"}));
  EXPECT_EQ(NamedExperiments(kReferring, json::object()), Names());
  EXPECT_EQ(NamedExperiments(kReferring, json::array()), Names());
}

TEST(NamedExperiments, AreNoneIfOneIsNotNamed) {
  for (const char* run : {"", "latest", "/a", "#batch=8", "latest/run-1"})
    EXPECT_TRUE(NamedExperiments(kReferring, {{"run", run}, {"sides", json::array({"b"})}}).empty())
        << run;
}

TEST(PageFieldOf, NamesTheFieldOfThePage) {
  EXPECT_EQ(PageFieldOf(kReferring), "page");
  const Operation none = {
      .name = "none",
      .summary = "",
      .example = "",
      .effect = Effect::kReads,
      .result = "",
      .declare = [](core::RequestFields&, const Context&) -> Action { return {}; }};
  EXPECT_EQ(PageFieldOf(none), "");
}

}  // namespace
}  // namespace xsp::api
