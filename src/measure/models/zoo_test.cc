#include "measure/models/zoo.h"

#include <gmock/gmock.h>

#include "measure/models/zoo_testing.h"

namespace xsp::models {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;

class ZooTest : public ZooTesting {
 protected:
  ZooModel Find(const std::string& name) { return FindInZoo(name).value().value(); }
  Result<ZooFile> Make(const std::string& name, const std::string& format) {
    const ZooModel model = Find(name);
    return MakeZooFile(model, *model.Find(format), progress_);
  }
  fs::path zoo() const { return folder_ / "home/zoo"; }
};

TEST_F(ZooTest, AFormatIsMadeOnceAndKept) {
  EXPECT_FALSE(Find("small").Find("toy")->made);
  const ZooFile file = Make("small", "toy").value();
  EXPECT_EQ(Read(file.path), "weights\n");
  EXPECT_EQ(file.path.filename(), "small.toy");
  EXPECT_TRUE(Find("small").Find("toy")->made);
  EXPECT_FALSE(Find("small").Find("pair")->made);
  EXPECT_EQ(Make("small", "toy").value().path, file.path);
  EXPECT_EQ(CallCount(), 1);
  EXPECT_THAT(Calls(), HasSubstr("makers/toy.py " + (zoo() / "small").string()));
}

TEST_F(ZooTest, AMakerMayWriteAFolderOrSeveralFiles) {
  const ZooFile pair = Make("small", "pair").value();
  EXPECT_EQ(Read(pair.path / "b"), "b\n");
  Write(zoo() / "makers/many.py", "echo j > \"$2-symbol.json\"; echo p > \"$2-0000.params\"\n");
  AddZoo("several", "name: several\nfiles: {many: {file: net}}\n", "");
  const ZooFile many = Make("several", "many").value();
  EXPECT_EQ(many.path.filename(), "net-symbol.json");
  EXPECT_EQ(Read(many.folder / "net-0000.params"), "p\n");
  EXPECT_TRUE(Find("several").Find("many")->made);
}

TEST_F(ZooTest, AModelsOwnMakerWins) {
  Write(zoo() / "small/make_toy.py", "# needs: toyframework\necho own > \"$1\"\n");
  EXPECT_EQ(Read(Make("small", "toy").value().path), "own\n");
}

TEST_F(ZooTest, WhateverMakesAFileGoesIntoItsKey) {
  const auto key = [&](const char* format) { return Find("small").Find(format)->folder; };
  const fs::path before = key("toy"), other = key("pair");
  Write(zoo() / "small/model.py", "more weights\n");
  const fs::path changed = key("toy");
  EXPECT_NE(changed, before);
  Write(zoo() / "makers/parts/shared.py", "x\n");
  const fs::path shared = key("toy");
  EXPECT_NE(shared, changed);
  Write(zoo() / "makers/pair.py", "# needs: toyframework\n");
  EXPECT_EQ(key("toy"), shared);
  EXPECT_NE(key("pair"), other);
  Write(zoo() / "small/__pycache__/model.pyc", "compiled\n");
  EXPECT_EQ(key("toy"), shared);
  Write(zoo() / "other/part.py", "1\n");
  Write(zoo() / "small/model.py", "# imports: ../other/part.py\n");
  const fs::path imports = key("toy");
  Write(zoo() / "other/part.py", "2\n");
  EXPECT_NE(key("toy"), imports);
}

TEST_F(ZooTest, AFailedMakerLeavesNothingBehind) {
  Write(zoo() / "makers/toy.py",
        "# needs: toyframework\necho half > \"$2\"\necho 'no weights' >&2\nexit 1\n");
  const auto failed = Make("small", "toy");
  EXPECT_EQ(failed.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(failed.error().what,
              EndsWith("cannot build the model small as toy: exit status 1: no weights"));
  EXPECT_THAT(failed.error().hint,
              HasSubstr("makers/toy.py " + (zoo() / "small").string() + " small.toy"));
  Write(zoo() / "makers/toy.py", "# needs: toyframework\n");
  EXPECT_THAT(Make("small", "toy").error().what, HasSubstr("its maker wrote nothing"));
  EXPECT_EQ(CachedFiles(), 0);
}

TEST_F(ZooTest, ADamagedFolderInTheCacheIsMadeAnew) {
  const fs::path folder = Find("small").Find("toy")->folder;
  Write(folder / "something else", "x");
  EXPECT_EQ(Read(Make("small", "toy").value().path), "weights\n");
  EXPECT_FALSE(fs::exists(folder / "something else"));
}

TEST_F(ZooTest, SaysHowToGetAMissingModule) {
  AddZoo("other", "name: other\nfiles: {toy: {file: x}}\nneeds: [no_such_module]\n", "");
  const auto file = Make("other", "toy");
  EXPECT_EQ(file.error().kind, ErrorKind::kNotPossible);
  EXPECT_THAT(file.error().what, HasSubstr("no Python with toyframework and no_such_module"));
  EXPECT_THAT(file.error().hint, HasSubstr("tools/setup"));
}

TEST_F(ZooTest, AnInstalledPythonIsFoundBesideTheZoo) {
  WritePython(folder_ / "home/.deps/a/bin/python", "something");
  WritePython(folder_ / "home/.deps/b/bin/python", "elsewhere");
  Write(zoo() / "makers/far.py", "# needs: elsewhere\necho far > \"$2\"\n");
  AddZoo("other", "name: other\nfiles: {far: {file: x}}\nneeds: [something]\n", "");
  EXPECT_EQ(Read(Make("other", "far").value().path), "far\n");
  EXPECT_THAT(Calls(), HasSubstr(".deps/b/bin/python"));
}

TEST_F(ZooTest, APythonWithABrokenModuleIsPassedOver) {
  WritePython(folder_ / "python", "toyframework", true);
  EXPECT_THAT(Make("small", "toy").error().what,
              EndsWith("cannot build the model small as toy: exit status 1: ImportError: "
                       "toyframework"));
  WritePython(folder_ / "home/.deps/whole/bin/python", "toyframework");
  EXPECT_EQ(Read(Make("small", "toy").value().path), "weights\n");
  EXPECT_EQ(CallCount(), 3);
}

TEST_F(ZooTest, AFormatWithoutMakerIsAnError) {
  AddZoo("other", "name: other\nfiles: {none: {file: x}}\n", "");
  const auto file = Make("other", "none");
  EXPECT_EQ(file.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(file.error().hint, HasSubstr("pair, toy"));
  Write(zoo() / "makers/toy.py", "# needs: os; print()\n");
  EXPECT_THAT(Make("small", "toy").error().what,
              HasSubstr("not the name of a Python module: os; print()"));
}

TEST_F(ZooTest, ListsModelsAndWhatCannotBeRead) {
  AddZoo("a", "name: a\nfiles: {toy: {file: a.toy}}\n", "");
  AddZoo("broken", "name: broken\ntsak: x\n", "");
  AddZoo("nothing", "name: nothing\n", "");
  AddZoo("path", "name: path\nfiles: {toy: {file: a/b}}\n", "");
  const ZooList list = ListZoo();
  ASSERT_EQ(list.models.size(), 2u);
  EXPECT_EQ(list.models[0].manifest.name, "a");
  EXPECT_EQ(list.models[1].files.size(), 2u);
  EXPECT_EQ(list.broken.size(), 3u);
  EXPECT_FALSE(FindInZoo("broken").ok());
  EXPECT_FALSE(FindInZoo("none").value().has_value());
  EXPECT_FALSE(FindInZoo("makers").value().has_value());
  EXPECT_FALSE(FindInZoo("../zoo/a").value().has_value());
  EXPECT_EQ(FormatsWithMaker(), (std::vector<std::string>{"pair", "toy"}));
}

}  // namespace
}  // namespace xsp::models
