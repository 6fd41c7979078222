// Rules that every collector keeps. A new one is checked here without being named.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "capture/collect/collector.h"
#include "core/snake_case_testing.h"

namespace xsp::collect {
namespace {

TEST(EveryCollectorTest, HasAUniqueNameAndExplainsWhatIsMissing) {
  std::set<std::string_view> names;
  for (const CollectorSpec* spec : AllCollectors()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(core::IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    std::set<std::string> keys;
    for (const Fact& fact : spec->collect()) {
      EXPECT_TRUE(keys.insert(fact.key).second) << fact.key;
      EXPECT_TRUE(fact.key.starts_with(std::string(spec->name) + ".")) << fact.key;
      EXPECT_TRUE(!fact.value.empty() || !fact.why.empty()) << fact.key;
    }
  }
}

}  // namespace
}  // namespace xsp::collect
