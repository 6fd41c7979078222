#include <gmock/gmock.h>

#include "api/operations/operation_list.h"
#include "measure/models/zoo_testing.h"

namespace xsp::api {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

class ZooMakeOperationTest : public models::ZooTesting {
 protected:
  static Result<Document> Make(const json& request) {
    return Perform("zoo/make", request, Context{});
  }
  /// "NAME FORMAT STATE" of each file that was asked for.
  static std::vector<std::string> States(const Document& document) {
    std::vector<std::string> states;
    for (const json& row : ToJson(document))
      states.push_back(row["name"].get<std::string>() + " " + row["format"].get<std::string>() +
                       " " + row["state"].get<std::string>());
    return states;
  }
};

TEST_F(ZooMakeOperationTest, MakesTheFirstFormatOrThoseThatAreNamed) {
  const auto first = Make({{"name", {"small"}}});
  ASSERT_TRUE(first.ok()) << first.error().what;
  EXPECT_THAT(States(first.value()), testing::ElementsAre("small toy made"));
  const auto both = Make({{"name", {"small"}}, {"as", {"pair", "toy"}}});
  ASSERT_TRUE(both.ok()) << both.error().what;
  EXPECT_THAT(States(both.value()), testing::ElementsAre("small pair made", "small toy was made"));
  EXPECT_EQ(both.value().exit_status, 0);
}

TEST_F(ZooMakeOperationTest, MakesTheOtherModelsWhenOneFails) {
  AddZoo("bad", "name: bad\nfiles: {toy: {file: bad.toy}}\n", "");
  Write(folder_ / "home/zoo/bad/make_toy.py", "# needs: toyframework\nexit 3\n");
  const auto made = Make({{"all", true}});
  ASSERT_TRUE(made.ok()) << made.error().what;
  EXPECT_THAT(States(made.value()),
              testing::ElementsAre("bad toy failed", "small toy made", "small pair made"));
  EXPECT_EQ(made.value().exit_status, static_cast<int>(ErrorKind::kEnvironment));
  EXPECT_THAT(made.value().notes, Contains(HasSubstr("error: cannot build the model bad as toy")));
}

TEST_F(ZooMakeOperationTest, StopsWhenItIsAskedTo) {
  os::Interrupts interrupts;
  interrupts.Request();
  Context context;
  context.interrupts = [&]() -> os::Interrupts& { return interrupts; };
  const auto made = Perform("zoo/make", {{"name", {"small"}}}, context);
  ASSERT_TRUE(made.ok()) << made.error().what;
  EXPECT_EQ(ToJson(made.value()), json::array());
  EXPECT_EQ(made.value().exit_status, static_cast<int>(ErrorKind::kInterrupted));
  EXPECT_EQ(CachedFiles(), 0);
}

TEST_F(ZooMakeOperationTest, RefusesARequestWithoutAModel) {
  const auto made = Make(json::object());
  ASSERT_FALSE(made.ok());
  EXPECT_EQ(made.error().kind, ErrorKind::kUsage);
  EXPECT_FALSE(Make({{"all", true}, {"as", {"toy"}}}).ok());
}

TEST_F(ZooMakeOperationTest, NamesTheFormatsThatThereAre) {
  const auto made = Make({{"name", {"small"}}, {"as", {"onnx"}}});
  ASSERT_TRUE(made.ok()) << made.error().what;
  EXPECT_EQ(made.value().exit_status, static_cast<int>(ErrorKind::kNotPossible));
  EXPECT_THAT(made.value().notes, Contains(HasSubstr("(available: toy, pair)")));
}

}  // namespace
}  // namespace xsp::api
