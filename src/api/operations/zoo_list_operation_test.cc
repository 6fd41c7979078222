#include <gmock/gmock.h>

#include "api/operations/operation_list.h"
#include "measure/models/zoo_testing.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

class ZooListOperationTest : public models::ZooTesting {
 protected:
  void SetUp() override {
    models::ZooTesting::SetUp();
    // No workers of the machine's own.
    setenv("XSP_WORKER_PATH", folder_.c_str(), 1);
  }
  void TearDown() override {
    unsetenv("XSP_WORKER_PATH");
    models::ZooTesting::TearDown();
  }
  static Result<Document> List() { return Perform("zoo/list", json::object(), Context{}); }
};

TEST_F(ZooListOperationTest, StatesFormatsAndWhatIsMade) {
  ASSERT_TRUE(Perform("zoo/make", {{"name", {"small"}}}, Context{}).ok());
  const auto listed = List();
  ASSERT_TRUE(listed.ok()) << listed.error().what;
  EXPECT_EQ(listed.value().exit_status, 0);
  const json models = ToJson(listed.value());
  ASSERT_EQ(models.size(), 1U);
  EXPECT_EQ(models[0]["name"], "small");
  EXPECT_EQ(models[0]["formats"], "toy, pair");
  EXPECT_EQ(models[0]["made"], "toy");
  EXPECT_TRUE(models[0]["parameters"].is_null());
  EXPECT_TRUE(models[0]["readers"].contains("pair"));
}

TEST_F(ZooListOperationTest, ListsTheOthersWhereAManifestCannotBeRead) {
  AddZoo("broken", "nane: broken\n", "");
  const auto listed = List();
  ASSERT_TRUE(listed.ok()) << listed.error().what;
  EXPECT_EQ(ToJson(listed.value()).size(), 1U);
  EXPECT_EQ(listed.value().exit_status, static_cast<int>(ErrorKind::kBadInput));
  EXPECT_THAT(listed.value().notes, Contains(HasSubstr("unknown key: nane")));
}

}  // namespace
}  // namespace xsp::api
