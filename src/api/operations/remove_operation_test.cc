#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/operations/operation_list.h"
#include "store/catalogue.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RemoveOperationTest : public testing::Test {
 protected:
  void SetUp() override {
    context_.store = folder_.path();
    for (const char* name : {"first", "second"}) {
      auto writer = store::ExperimentWriter::Create(context_.store, name);
      ASSERT_TRUE(writer.ok()) << writer.error().what;
      const auto written = writer.value().Commit("{}");
      ASSERT_TRUE(written.ok()) << written.error().what;
    }
  }

  Result<Document> Remove(const std::vector<std::string>& names) const {
    return Perform("remove", {{"name", names}}, context_);
  }

  std::vector<std::string> Stored() const {
    std::vector<std::string> names;
    const auto entries = store::List(context_.store);
    if (entries.ok())
      for (const auto& entry : entries.value()) names.push_back(entry.name);
    return names;
  }

 private:
  store::TestFolder folder_;
  Context context_;
};

TEST_F(RemoveOperationTest, RemovesOnlyWhatIsNamed) {
  const auto done = Remove({"first"});
  ASSERT_TRUE(done.ok()) << done.error().what;
  EXPECT_THAT(Stored(), ElementsAre("second"));
  EXPECT_TRUE(Remove({"second"}).ok());
  EXPECT_THAT(Stored(), IsEmpty());
}

TEST_F(RemoveOperationTest, ANameThatIsNotStoredKeepsTheOthers) {
  const auto refused = Remove({"first", "none"});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(Stored().size(), 2U);
}

}  // namespace
}  // namespace xsp::api
