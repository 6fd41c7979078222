#include "app/cli/program_arguments.h"

#include <gmock/gmock.h>

namespace xsp::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

int Keep(std::vector<std::string> line) {
  ProgramArguments().clear();
  std::vector<char*> argv;
  for (std::string& argument : line) argv.push_back(argument.data());
  return KeepProgramArguments(static_cast<int>(argv.size()), argv.data());
}

TEST(ProgramArgumentsTest, AreAllThatStandsAfterTheFirstDashesAsItStands) {
  EXPECT_EQ(Keep({"xsp", "monitor", "--rate", "5", "--", "sh", "-c", "[1,2]", "", "--", "{}"}), 4);
  EXPECT_THAT(ProgramArguments(), ElementsAre("sh", "-c", "[1,2]", "", "--", "{}"));
}

TEST(ProgramArgumentsTest, ALineWithoutDashesStaysWhole) {
  EXPECT_EQ(Keep({"xsp", "list", "--format", "json"}), 4);
  EXPECT_THAT(ProgramArguments(), IsEmpty());
}

}  // namespace
}  // namespace xsp::cli
