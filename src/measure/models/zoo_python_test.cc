#include "measure/models/zoo_python.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace xsp::models {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

/// A home whose Pythons are shell scripts that say which modules they have.
class ZooPython : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-python-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_HOME", name.c_str(), 1);
    setenv("XSP_PYTHON", "/bin/false", 1);
    // No python3 of the machine's own.
    path_ = getenv("PATH");
    setenv("PATH", name.c_str(), 1);
  }
  void TearDown() override {
    setenv("PATH", path_.c_str(), 1);
    unsetenv("XSP_HOME");
    unsetenv("XSP_PYTHON");
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path Write(const std::string& name, const std::string& text) {
    const fs::path file = folder_ / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }
  fs::path PythonThatHas(const std::string& name, const std::string& modules) {
    return Write(".deps/" + name + "/bin/python", "#!/bin/sh\necho '" + modules + "'\n");
  }
  /// A model that is made by a program of this text, its own one or a shared one.
  ZooModel Model(const std::string& needs, const std::string& format, const std::string& maker,
                 bool own_maker = false) {
    ZooFile file;
    file.format = format;
    file.maker = Write(format + ".py", maker);
    file.own_maker = own_maker;
    ZooModel model;
    model.manifest.name = "net";
    model.manifest.needs = {needs};
    model.files = {file};
    return model;
  }

  fs::path folder_;
  std::string path_;
};

constexpr const char* kGraphMaker = "# needs: graphs\n# imports: model.py\n";

TEST_F(ZooPython, IsTheFirstThatHasWhatMakerAndModelsNeed) {
  PythonThatHas("first", R"({"nets": "2.1"})");
  const fs::path second = PythonThatHas("second", R"({"nets": "2.0", "graphs": "", "eyes": "3"})");
  PythonThatHas("third", R"({"nets": "2.0", "graphs": "", "eyes": "3"})");
  const auto makers =
      AskForZooMakers({Model("nets", "graph", kGraphMaker), Model("eyes", "graph", kGraphMaker)});
  ASSERT_EQ(makers.size(), 1u);
  EXPECT_EQ(makers[0].makes, "graph");
  EXPECT_EQ(makers[0].python, second);
  EXPECT_THAT(makers[0].modules,
              ElementsAre(Pair("eyes", "3"), Pair("graphs", ""), Pair("nets", "2.0")));
  EXPECT_THAT(makers[0].Missing(), IsEmpty());
}

TEST_F(ZooPython, IsElseTheOneThatLacksTheFewest) {
  PythonThatHas("first", R"({"nets": null, "graphs": null})");
  const fs::path second = PythonThatHas("second", R"({"nets": "2.0", "graphs": null})");
  const auto makers = AskForZooMakers({Model("nets", "graph", kGraphMaker)});
  ASSERT_EQ(makers.size(), 1u);
  EXPECT_EQ(makers[0].python, second);
  EXPECT_THAT(makers[0].Missing(), ElementsAre("graphs"));
}

TEST_F(ZooPython, OfAModelsOwnMakerIsNamedByIt) {
  // These do not run the model's code; and no Python runs.
  const auto makers = AskForZooMakers(
      {Model("nets", "graph", "# needs: graphs\n"), Model("nets", "bit", "# needs: bits\n", true)});
  ASSERT_EQ(makers.size(), 2u);
  EXPECT_EQ(makers[0].makes, "graph");
  EXPECT_THAT(makers[0].Missing(), ElementsAre("graphs"));
  EXPECT_EQ(makers[1].makes, "net as bit");
  EXPECT_THAT(makers[1].Missing(), ElementsAre("bits"));
  EXPECT_EQ(makers[1].python, "");
}

}  // namespace
}  // namespace xsp::models
