#include "store/known_entries.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "os/files.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;

class KnownEntriesTest : public testing::Test {
 protected:
  KnownEntriesTest() {
    setenv("XSP_CACHE", (folder_.path() / "cache").c_str(), 1);
    fs::create_directories(store());
  }
  fs::path store() const { return folder_.path() / "store"; }
  static CatalogueEntry Entry(int i) {
    return {.name = fmt::format("e{}", i),
            .path = {},
            .created = "2026-01-01T00:00:00Z",
            .model = "größe",
            .backend = "b",
            .status = "done",
            .runs = i,
            .tags = {{"gpu", "a100"}}};
  }
  static WrittenState State(int i) { return {~std::uint64_t{0}, i, -i, 7}; }
  void KeepAndSave(int count) {
    KnownEntries known(store());
    std::unordered_set<std::string> names;
    for (int i = 0; i < count; ++i) {
      known.Keep(State(i), Entry(i));
      names.insert(Entry(i).name);
    }
    known.Save(names);
  }
  std::optional<CatalogueEntry> Find(int i) {
    return KnownEntries(store()).Find(store() / fmt::format("e{}", i), State(i));
  }

  TestFolder folder_;
};

TEST_F(KnownEntriesTest, AreThereForTheNextProcess) {
  KeepAndSave(100);
  const auto found = Find(42);
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->name, "e42");
  EXPECT_EQ(found->path, store() / "e42");
  EXPECT_EQ(found->model, "größe");
  EXPECT_EQ(found->runs, 42);
  EXPECT_EQ(found->tags.at("gpu"), "a100");
  // Written since.
  EXPECT_FALSE(KnownEntries(store()).Find(store() / "e42", State(43)));
  // The same store by another name.
  fs::create_directory_symlink(store(), folder_.path() / "link");
  const fs::path link = folder_.path() / "link";
  EXPECT_EQ(KnownEntries(link).Find(link / "e42", State(42))->path, link / "e42");
}

TEST_F(KnownEntriesTest, OfFewExperimentsMakeNoFile) {
  KeepAndSave(99);
  EXPECT_FALSE(fs::exists(KnownEntries(store()).file()));
}

TEST_F(KnownEntriesTest, LeaveOutFoldersThatAreGone) {
  KeepAndSave(100);
  KnownEntries known(store());
  for (int i = 100; i < 200; ++i) known.Keep(State(i), Entry(i));
  known.Save({"e1", "e150"});
  EXPECT_TRUE(Find(1) && Find(150));
  EXPECT_FALSE(Find(2) || Find(151));
}

TEST_F(KnownEntriesTest, OfADamagedFileOrAnotherVersionAreNone) {
  KeepAndSave(100);
  const fs::path file = KnownEntries(store()).file();
  const std::string whole = os::ReadFile(file).value();
  for (const std::string& text :
       {std::string(), whole.substr(0, whole.size() / 2), std::string("{}"), std::string("[1]"),
        std::string(R"({"version": "0", "experiments": {}})"), [&] {
          std::string other = whole;
          return other.replace(other.find("\"done\""), 6, "1");
        }()}) {
    ASSERT_TRUE(os::WriteFileAtomically(file, text).ok());
    EXPECT_FALSE(Find(42)) << text.substr(0, 100);
  }
  KeepAndSave(100);
  EXPECT_TRUE(Find(42));
}

}  // namespace
}  // namespace xsp::store
