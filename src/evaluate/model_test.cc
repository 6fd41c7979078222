#include "evaluate/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/sha256.h"

namespace xsp::evaluate {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

/// A zoo, a cache and a Python of its own. "Python" is a script that can import one module.
class ModelTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "xsp-model-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XSP_HOME", (folder_ / "home").c_str(), 1);
    setenv("XSP_CACHE", (folder_ / "cache").c_str(), 1);
    setenv("XSP_PYTHON", (folder_ / "python").c_str(), 1);
    Write(folder_ / "python",
          "#!/bin/sh\n"
          "if [ \"$1\" = -c ]; then [ \"$2\" = 'import toyframework' ]; exit; fi\n"
          "echo \"$@\" >> " +
              (folder_ / "calls").string() + "\nexec sh \"$@\"\n");
    fs::permissions(folder_ / "python", fs::perms::owner_all);
    AddZoo("small",
           "name: small\nframework: toy\nfile: small.toy\nneeds: [toyframework]\n"
           "inputs:\n  - {name: x, dtype: float32, shape: [batch, 3, 8]}\n",
           "echo weights > \"$1\"\n");
  }
  void TearDown() override {
    for (const char* name : {"XSP_HOME", "XSP_CACHE", "XSP_PYTHON"}) unsetenv(name);
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  void AddZoo(const std::string& name, const std::string& manifest, const std::string& make) {
    Write(folder_ / "home/zoo" / name / "manifest.yaml", manifest);
    Write(folder_ / "home/zoo" / name / "make.py", make);
  }
  static void Write(const fs::path& file, const std::string& text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  int Calls() const {
    std::ifstream stream(folder_ / "calls");
    return static_cast<int>(std::count(std::istreambuf_iterator<char>(stream), {}, '\n'));
  }
  Result<Model> Resolve(const std::string& text, const fs::path& manifest = {}) {
    return ResolveModel(text, manifest, progress_);
  }
  fs::path folder_;
  NoProgress progress_;
};

TEST_F(ModelTest, AZooModelIsMadeOnceAndKept) {
  const Model model = Resolve("small").value();
  EXPECT_EQ(model.name, "small");
  EXPECT_EQ(model.framework, "toy");
  EXPECT_EQ(model.path.filename(), "small.toy");
  EXPECT_EQ(model.size_bytes, 8);
  EXPECT_EQ(model.sha256, base::Sha256("weights\n"));
  EXPECT_EQ(model.inputs, json::parse(R"([{"name":"x","dtype":"float32","shape":["batch",3,8]}])"));
  EXPECT_EQ(Resolve("small").value().path, model.path);
  EXPECT_EQ(Calls(), 1);
  EXPECT_TRUE(ListZoo().at(0).made);
}

TEST_F(ModelTest, AChangedMakerMakesANewFile) {
  const fs::path before = Resolve("small").value().path;
  Write(folder_ / "home/zoo/small/make.py", "echo other > \"$1\"\n");
  const Model after = Resolve("small").value();
  EXPECT_NE(after.path, before);
  EXPECT_EQ(after.sha256, base::Sha256("other\n"));
}

TEST_F(ModelTest, AFailedMakerLeavesNothingBehind) {
  Write(folder_ / "home/zoo/small/make.py", "echo half > \"$1\"\necho 'no weights' >&2\nexit 1\n");
  const auto model = Resolve("small");
  EXPECT_EQ(model.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(model.error().what, HasSubstr("no weights"));
  for (const auto& entry : fs::recursive_directory_iterator(folder_ / "cache"))
    EXPECT_TRUE(entry.is_directory()) << entry.path();
}

TEST_F(ModelTest, SaysHowToGetAMissingFramework) {
  AddZoo("other", "name: other\nframework: no_such_framework\nfile: x.toy\n", "");
  const auto model = Resolve("other");
  EXPECT_EQ(model.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(model.error().hint, HasSubstr("tools/setup"));
  EXPECT_THAT(model.error().hint, HasSubstr("pip install no_such_framework"));
}

TEST_F(ModelTest, AFileIsAModelToo) {
  Write(folder_ / "net.toy", "layers");
  const Model model = Resolve((folder_ / "net.toy").string()).value();
  EXPECT_EQ(model.name, "net");
  EXPECT_TRUE(model.inputs.is_null());
  Write(folder_ / "model.yaml",
        "name: fine\nfile: net.toy\ninputs: [{dtype: int64, shape: [2]}]\n");
  EXPECT_EQ(Resolve((folder_ / "net.toy").string()).value().name, "fine");
  Write(folder_ / "model.yaml", "name: another\nfile: another.toy\n");
  EXPECT_EQ(Resolve((folder_ / "net.toy").string()).value().name, "net");
  Write(folder_ / "m.yaml", "name: named\n");
  EXPECT_EQ(Resolve((folder_ / "net.toy").string(), folder_ / "m.yaml").value().name, "named");
}

TEST_F(ModelTest, SaysWhatIsWrongWithAModelFile) {
  Write(folder_ / "empty.toy", "");
  EXPECT_THAT(Resolve((folder_ / "empty.toy").string()).error().what, HasSubstr("is empty"));
  EXPECT_THAT(Resolve(folder_.string()).error().what, HasSubstr("is a directory"));
  const auto none = Resolve("no-such-model");
  EXPECT_EQ(none.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(none.error().hint, HasSubstr("Zoo models are small"));
}

TEST_F(ModelTest, SaysWhatIsWrongWithAManifest) {
  const auto wrong = [&](const std::string& text) {
    Write(folder_ / "m.yaml", text);
    return ReadManifest(folder_ / "m.yaml").error().what;
  };
  EXPECT_THAT(wrong("- a\n- b\n"), HasSubstr("not a map"));
  EXPECT_THAT(wrong("name: [\n"), HasSubstr("line 2"));
  EXPECT_THAT(wrong("inputs: 3\n"), HasSubstr("inputs is not a list"));
  EXPECT_THAT(wrong("inputs: [{name: x}]\n"), HasSubstr("needs name, dtype and shape"));
  EXPECT_THAT(wrong("inputs: [{dtype: f, shape: [-1]}]\n"), HasSubstr("-1"));
}

}  // namespace
}  // namespace xsp::evaluate
