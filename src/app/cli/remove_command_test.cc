#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>

#include "app/cli/command.h"
#include "store/catalogue.h"
#include "store/experiment_writer.h"
#include "store/store_testing.h"

namespace xsp::cli::remove {

extern const CommandSpec kCommand;

namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class RemoveCommandTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"first", "second"}) {
      auto writer = store::ExperimentWriter::Create(session_.store, name);
      ASSERT_TRUE(writer.ok()) << writer.error().what;
      const auto written = writer.value().Commit("{}");
      ASSERT_TRUE(written.ok()) << written.error().what;
    }
  }

  Result<int> Run(const std::string& names) const {
    CLI::App app;
    const Action action = kCommand.declare(app, session_);
    app.parse(names);
    return action();
  }

  std::vector<std::string> Stored() const {
    std::vector<std::string> names;
    const auto entries = store::List(session_.store);
    if (entries.ok())
      for (const auto& entry : entries.value()) names.push_back(entry.name);
    return names;
  }

 private:
  store::TestFolder folder_;
  Session session_{folder_.path(), {}, {}, ""};
};

TEST_F(RemoveCommandTest, RemovesOnlyWhatIsNamed) {
  const auto done = Run("first");
  ASSERT_TRUE(done.ok()) << done.error().what;
  EXPECT_EQ(done.value(), 0);
  EXPECT_THAT(Stored(), ElementsAre("second"));
  EXPECT_TRUE(Run("second").ok());
  EXPECT_THAT(Stored(), IsEmpty());
}

TEST_F(RemoveCommandTest, ANameThatIsNotStoredKeepsTheOthers) {
  const auto refused = Run("first none");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kBadInput);
  EXPECT_EQ(Stored().size(), 2U);
}

}  // namespace
}  // namespace xsp::cli::remove
