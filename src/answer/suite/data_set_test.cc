#include "answer/suite/data_set.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace xsp::suite {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A folder of one test with this suite.yaml.
class DataSetFolder {
 public:
  explicit DataSetFolder(const char* description) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    path = std::filesystem::path(::testing::TempDir()) / (std::string("data_set_") + test->name());
    std::filesystem::create_directories(path);
    std::ofstream(path / "suite.yaml") << description;
  }
  ~DataSetFolder() { std::filesystem::remove_all(path); }

  std::filesystem::path path;
};

TEST(DataSetTest, KindsAreThoseOfItsTablesInTheirOrder) {
  const DataSetFolder folder(
      "name: s\ntables:\n  - kind: vectors\n  - {file: x.csv}\n  - kind: b\n");
  const auto kinds = TableKinds(folder.path.string());
  ASSERT_TRUE(kinds.ok()) << kinds.error().what;
  EXPECT_THAT(kinds.value(), ElementsAre("vectors", "b"));
  const auto none = TableKinds((folder.path / "no-such").string());
  ASSERT_TRUE(none.ok()) << none.error().what;
  EXPECT_THAT(none.value(), IsEmpty());
}

TEST(DataSetTest, KindThatIsNoWordIsAnErrorWithTheFile) {
  const DataSetFolder folder("name: s\ntables:\n  - kind: [a, b]\n    file: v.csv\n");
  const auto kinds = TableKinds(folder.path.string());
  ASSERT_FALSE(kinds.ok());
  EXPECT_EQ(kinds.error().kind, ErrorKind::kBadInput);
  EXPECT_THAT(kinds.error().what, HasSubstr("suite.yaml"));
  const auto table = OpenTable(folder.path.string(), "vectors");
  ASSERT_FALSE(table.ok());
  EXPECT_EQ(table.error().kind, ErrorKind::kBadInput);
}

}  // namespace
}  // namespace xsp::suite
