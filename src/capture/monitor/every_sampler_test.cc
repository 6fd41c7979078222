// Rules that every sampler keeps. A new one is checked here without being named.

#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/monitor/sampler.h"
#include "core/snake_case_testing.h"

namespace xsp::monitor {
namespace {

// On whatever machine this runs: what a sampler cannot show has a reason.
TEST(EverySamplerTest, HasAUniqueNameAndExplainsWhatIsMissing) {
  EXPECT_FALSE(AllSamplers().empty());
  const std::set<std::string> units = {"1", "byte", "byte/s", "watt", "Hz", "celsius"};
  std::set<std::string_view> names;
  std::set<std::pair<std::string, std::string>> channels;
  for (const SamplerSpec* spec : AllSamplers()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(core::IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    for (const collect::MachineFiles& files :
         {collect::MachineFiles(),
          collect::MachineFiles(std::filesystem::path(testing::TempDir()) / "nothing")}) {
      const auto sampler = spec->open(files);
      EXPECT_FALSE(sampler->channels().empty() && sampler->hidden().empty());
      for (const auto& hidden : sampler->hidden()) {
        EXPECT_TRUE((hidden.name + ".").starts_with(std::string(spec->name) + ".")) << hidden.name;
        EXPECT_FALSE(hidden.why.empty()) << hidden.name;
      }
      std::vector<double> values(sampler->channels().size(), kUnknown);
      sampler->Sample(1, values);
    }
    const auto here = spec->open(collect::MachineFiles());
    for (const Channel& channel : here->channels()) {
      EXPECT_TRUE(channel.name.starts_with(std::string(spec->name) + ".")) << channel.name;
      EXPECT_TRUE(units.contains(channel.unit)) << channel.name << ": " << channel.unit;
      EXPECT_TRUE(channels.emplace(channel.name, channel.part).second) << channel.name;
    }
  }
}

}  // namespace
}  // namespace xsp::monitor
