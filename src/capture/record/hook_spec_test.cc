// Rules that every hook keeps. A new one is checked here without being named.

#include "capture/record/hook_spec.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "source_dir.h"

namespace xsp::record {
namespace {

namespace fs = std::filesystem;

TEST(EveryHook, IsNamedAfterItsFolder) {
  EXPECT_FALSE(AllHooks().empty());
  for (const HookSpec* hook : AllHooks())
    EXPECT_TRUE(fs::exists(fs::path(XSP_SOURCE_DIR) / "src/capture/record" / hook->name / "hook.h"))
        << hook->name;
}

TEST(EveryHook, HasAVariableOfItsOwnAndSaysWhatBuildsIt) {
  std::set<std::string> variables;
  for (const HookSpec* hook : AllHooks()) {
    SCOPED_TRACE(hook->name);
    EXPECT_TRUE(variables.insert(hook->variable).second);
    for (const char* silencer : hook->silencers) EXPECT_TRUE(variables.insert(silencer).second);
    EXPECT_FALSE(hook->what.empty());
    EXPECT_TRUE(hook->commands.ends_with("tools/build")) << hook->commands;
  }
}

}  // namespace
}  // namespace xsp::record
