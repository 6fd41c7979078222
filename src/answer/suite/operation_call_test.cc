#include "answer/suite/operation_call.h"

#include <gtest/gtest.h>

#include "answer/suite/suite_command_testing.h"

namespace xsp::suite {
namespace {

/// A context whose operations call `while_performed` and succeed.
class CallTest : public ::testing::Test {
 protected:
  CallTest() {
    context_.perform = [this](std::string_view, const nlohmann::json& request,
                              const std::filesystem::path&, core::Progress&,
                              os::Interrupts&) -> Result<Performed> {
      ++calls_;
      if (while_performed_) while_performed_();
      return Performed{request};
    };
  }

  Result<Performed> Call() { return CallOperation(context_, "run", {{"model", "m"}}, "store"); }

  TestContext context_{"store"};
  std::function<void()> while_performed_;
  int calls_ = 0;
};

TEST_F(CallTest, TheAnswerIsTheOperations) {
  const auto performed = Call();
  ASSERT_TRUE(performed.ok());
  EXPECT_EQ(performed.value().document, (nlohmann::json{{"model", "m"}}));
}

TEST_F(CallTest, RequestToStopIsAnErrorThoughTheOperationKeptSomething) {
  while_performed_ = [this] { context_.Interrupt(); };
  const auto performed = Call();
  ASSERT_FALSE(performed.ok());
  EXPECT_EQ(performed.error().kind, ErrorKind::kInterrupted);
}

TEST_F(CallTest, NothingIsBegunAfterARequestToStop) {
  context_.Interrupt();
  EXPECT_EQ(Call().error().kind, ErrorKind::kInterrupted);
  EXPECT_EQ(calls_, 0);
}

TEST(FailureTest, LastErrorOfTheNotesIsTheReason) {
  const Performed performed{
      {}, {"error: first", "hint: a", "error: no such worker", "hint: tools/build"}, 4};
  EXPECT_EQ(FailureText(performed), "no such worker\nhint: tools/build");
  EXPECT_EQ(FailureText({{}, {}, 7}), "exit status 7");
  EXPECT_EQ(FailureText({{}, {"error: of no importance"}, 0}), "");
}

TEST(FailureTest, ExitStatusStatesAKindWhereItIsOne) {
  EXPECT_EQ(FailureKind(static_cast<int>(ErrorKind::kNotPossible)), ErrorKind::kNotPossible);
  EXPECT_EQ(FailureKind(7), ErrorKind::kEnvironment);
  EXPECT_EQ(FailureKind(130), ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::suite
