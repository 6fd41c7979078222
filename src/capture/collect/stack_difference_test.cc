#include "capture/collect/stack_difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "capture/collect/fixture_tree.h"
#include "capture/collect/stack.h"
#include "core/json_text.h"

namespace xsp::collect {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> KeysOf(const StackDifference& difference) {
  std::vector<std::string> keys;
  for (const FactDifference& both : difference.differing) {
    EXPECT_EQ(both.a.key, both.b.key);
    keys.push_back(both.a.key);
  }
  return keys;
}

TEST(StackFromJsonTest, GivesBackWhatWasWritten) {
  const std::vector<Fact> facts = {{"a.c", "2", ""},
                                   {"a.c.d", "3", ""},
                                   {"a.hidden", "", "no bus"},
                                   {"b.value", "4", ""},
                                   {"cpu.model", "X \"1\"", ""}};
  const auto read = FromJson(core::ParseJson(ToJson(facts)));
  ASSERT_EQ(read.size(), facts.size());
  for (std::size_t i = 0; i < facts.size(); ++i) {
    EXPECT_EQ(read[i].key, facts[i].key);
    EXPECT_EQ(read[i].value, facts[i].value) << facts[i].key;
    EXPECT_EQ(read[i].why, facts[i].why) << facts[i].key;
  }
}

TEST(StackFromJsonTest, TakesForeignJsonAsItIs) {
  EXPECT_THAT(FromJson(core::ParseJson("[1, 2]")), IsEmpty());
  EXPECT_THAT(FromJson(json()), IsEmpty());
  const auto facts =
      FromJson(core::ParseJson(R"({"cpu": {"cores": 4, "gone": null}, "hidden": 3})"));
  EXPECT_EQ(ValueOf(facts, "cpu.cores"), "4");
  EXPECT_EQ(FactOf(facts, "cpu.gone").why, "no reason given");
}

TEST(StackDifferenceTest, TellsWhatDiffers) {
  const auto difference =
      Compare({{"cpu.model", "X", ""}, {"cpu.cores", "4", ""}, {"cpu.smt", "", "hidden here"}},
              {{"cpu.cores", "8", ""}, {"cpu.model", "X", ""}, {"cpu.smt", "on", ""}});
  EXPECT_THAT(KeysOf(difference), ElementsAre("cpu.cores", "cpu.smt"));
  EXPECT_EQ(difference.differing[0].a.value, "4");
  EXPECT_EQ(difference.differing[0].b.value, "8");
  EXPECT_EQ(difference.differing[1].a.why, "hidden here");
  EXPECT_EQ(difference.same, 1);
}

TEST(StackDifferenceTest, KnowsAFactThatOneDoesNotHave) {
  const auto difference = Compare({{"environment.settings", "1", ""}, {"environment.X", "2", ""}},
                                  {{"environment.settings", "0", ""}});
  EXPECT_THAT(KeysOf(difference), ElementsAre("environment.X", "environment.settings"));
  EXPECT_EQ(difference.differing[0].b.value, "");
  EXPECT_EQ(difference.differing[0].b.why, "");
}

TEST(StackDifferenceTest, FindsNothingInWhatNeitherShows) {
  EXPECT_THAT(KeysOf(Compare({{"gpu.pci", "", "no bus"}, {"gpu.rocm", "", "none"}},
                             {{"gpu.pci", "", "no device"}})),
              IsEmpty());
}

TEST(StackDifferenceTest, DoesNotCompareAPartThatOneLacks) {
  const auto difference = Compare({{"cpu.model", "X", ""}, {"worker.torch", "2", ""}},
                                  {{"cpu.model", "X", ""}, {"container.kind", "docker", ""}});
  EXPECT_THAT(KeysOf(difference), IsEmpty());
  EXPECT_THAT(difference.only_in_a, ElementsAre("worker"));
  EXPECT_THAT(difference.only_in_b, ElementsAre("container"));
}

TEST(StackDifferenceTest, TakesEachBackendAsAPart) {
  const auto difference =
      Compare({{"backend.torch.framework.version", "2.14", ""}, {"backend.opencv.x", "1", ""}},
              {{"backend.torch.framework.version", "2.15", ""}, {"backend.mxnet.x", "1", ""}});
  EXPECT_THAT(KeysOf(difference), ElementsAre("backend.torch.framework.version"));
  EXPECT_THAT(difference.only_in_a, ElementsAre("backend.opencv"));
  EXPECT_THAT(difference.only_in_b, ElementsAre("backend.mxnet"));
}

TEST(StackDifferenceTest, CountsWhatIsLeftOut) {
  const auto difference =
      Compare({{"a.x", "1", ""}, {"a.y", "1", ""}}, {{"a.x", "2", ""}, {"a.y", "2", ""}},
              [](std::string_view key) { return key == "a.y"; });
  EXPECT_THAT(KeysOf(difference), ElementsAre("a.x"));
  EXPECT_EQ(difference.left_out, 1);
}

std::vector<Fact> None() { return {}; }

TEST(MomentaryTest, IsWhatItsCollectorNames) {
  const CollectorSpec load{"load", "", None, "*"};
  const CollectorSpec memory{"memory", "", None, "available_bytes swap_*_bytes"};
  const std::vector<const CollectorSpec*> all = {&load, &memory};
  EXPECT_TRUE(IsMomentary("load.average", all));
  EXPECT_TRUE(IsMomentary("memory.available_bytes", all));
  EXPECT_TRUE(IsMomentary("memory.swap_free_bytes", all));
  EXPECT_FALSE(IsMomentary("memory.total_bytes", all));
  EXPECT_FALSE(IsMomentary("memory.available_bytes_x", all));
  EXPECT_FALSE(IsMomentary("memory", all));
  EXPECT_FALSE(IsMomentary("other.average", all));
}

}  // namespace
}  // namespace xsp::collect
