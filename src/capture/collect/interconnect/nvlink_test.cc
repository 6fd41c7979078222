#include "capture/collect/interconnect/nvlink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::interconnect {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

constexpr const char* kStatus =
    "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-secret)\n"
    "\t Link 0: 26.562 GB/s\n"
    "\t Link 1: 26.562 GB/s\n"
    "\t Link 2: <inactive>\n"
    "\t Link 3: a status of a driver to come\n"
    "\t Link 0, P2P is supported: true\n"
    "GPU 1: NVIDIA H100 80GB HBM3 (UUID: GPU-secret)\n"
    "\t Link 0: 25 GB/s\n"
    "GPU 2: NVIDIA L4 (UUID: GPU-secret)\n"
    "NVML: Unable to retrieve NVLink information as all links are inActive\n";

// As printed on a terminal: the heading is underlined.
constexpr const char* kMatrix =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tGPU2\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV2\tPXB\tSYS\t0-51\t0\tN/A\n"
    "GPU1\tNV2\t X \tPXB\tSYS\t0-51\t0\tN/A\n"
    "NIC0\tPXB\tPXB\t X \tSYS\n"
    "GPU2\tSYS\tSYS\tSYS\t X \t52-103\t1\tN/A\n"
    "\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n"
    "\nNIC Legend:\n\n  NIC0: mlx5_0\n";

constexpr const char* kAddresses =
    "0, 00000000:19:00.0\n1, 00000000:1D:00.0\n2, 00000000:81:00.0\n";

TEST(NvlinkStatusTest, CountsLinksByTheirRate) {
  const auto status = ParseNvlinkStatus(kStatus);
  ASSERT_EQ(status.size(), 3U);
  EXPECT_THAT(status.at(0).active, ElementsAre(Pair("26.562 GB/s", 2)));
  EXPECT_EQ(status.at(0).inactive, 1);
  EXPECT_THAT(status.at(1).active, ElementsAre(Pair("25 GB/s", 1)));
  EXPECT_THAT(status.at(2).active, IsEmpty());
}

TEST(NvlinkPairsTest, ReadsTheMatrixPastNetworkColumns) {
  EXPECT_THAT(ParseNvlinkPairs(kMatrix), ElementsAre(Pair(Pair(0, 1), 2), Pair(Pair(1, 0), 2)));
}

TEST(NvlinkAddressTest, AreWrittenAsSysWritesThem) {
  EXPECT_THAT(
      ParseGpuAddresses(kAddresses),
      ElementsAre(Pair(0, "0000:19:00.0"), Pair(1, "0000:1d:00.0"), Pair(2, "0000:81:00.0")));
  EXPECT_THAT(ParseGpuAddresses("No devices were found\n"), IsEmpty());
}

TEST(NvlinkParsersTest, SurviveDamage) {
  std::mt19937 random(3);
  for (const std::string whole : {kStatus, kMatrix, kAddresses}) {
    for (int round = 0; round < 300; ++round) {
      std::string text = whole.substr(0, random() % whole.size());
      for (int hit = 0; hit < 5 && !text.empty(); ++hit) {
        text[random() % text.size()] = static_cast<char>(random());
      }
      ParseNvlinkStatus(text);
      ParseNvlinkPairs(text);
      ParseGpuAddresses(text);
    }
  }
}

/// gpu0 to gpu3 at these addresses: one more than nvidia-smi shows.
PciTree FourGpus() {
  PciTree tree;
  for (const char* address : {"0000:19:00.0", "0000:1d:00.0", "0000:1e:00.0", "0000:81:00.0"}) {
    PciDevice gpu;
    gpu.name = "gpu" + std::to_string(tree.gpus.size());
    gpu.address = address;
    gpu.id = "10de:2330";
    tree.gpus.push_back(gpu);
  }
  return tree;
}

Result<std::string> Answer(const std::vector<std::string>& arguments) {
  if (arguments[0] == "nvlink") return std::string(kStatus);
  if (arguments[0] == "topo") return std::string(kMatrix);
  return std::string(kAddresses);
}

std::vector<Fact> Facts(const PciTree& tree, const NvidiaSmi& nvidia_smi) {
  FactSheet sheet("interconnect");
  AddNvlink(tree, nvidia_smi, sheet);
  return sheet.Take();
}

TEST(NvlinkFactsTest, HaveTheNamesOfTheTreeNotOfTheProgram) {
  const auto facts = Facts(FourGpus(), Answer);
  EXPECT_EQ(ValueOf(facts, "interconnect.nvlink.active_links"), "3");
  EXPECT_EQ(ValueOf(facts, "interconnect.nvlink.gpu0.links"), "2 x 26.562 GB/s, 1 inactive");
  EXPECT_EQ(ValueOf(facts, "interconnect.nvlink.gpu0.reaches"), "gpu1 NV2");
  EXPECT_EQ(ValueOf(facts, "interconnect.nvlink.gpu1.reaches"), "gpu0 NV2");
  // nvidia-smi's third GPU is the tree's fourth.
  EXPECT_THAT(FactOf(facts, "interconnect.nvlink.gpu3.links").why, HasSubstr("no NVLink"));
  EXPECT_EQ(FactOf(facts, "interconnect.nvlink.gpu2.links").key, "(none)");
  EXPECT_THAT(BadFacts(facts, "interconnect"), IsEmpty());
  for (const Fact& fact : facts) EXPECT_EQ(fact.value.find("secret"), std::string::npos);
}

TEST(NvlinkFactsTest, SayWhyTheyAreHidden) {
  const auto why = [](const PciTree& tree, const NvidiaSmi& nvidia_smi) {
    return FactOf(Facts(tree, nvidia_smi), "interconnect.nvlink.active_links").why;
  };
  EXPECT_THAT(why({}, Answer), HasSubstr("no GPU of NVIDIA"));
  EXPECT_THAT(why(FourGpus(), {}), HasSubstr("not on the PATH"));
  EXPECT_THAT(why(FourGpus(),
                  [](const auto&) -> Result<std::string> {
                    return std::string("NVIDIA-SMI has failed: no driver\n");
                  }),
              HasSubstr("has failed: no driver"));
  EXPECT_THAT(why(FourGpus(),
                  [](const auto&) -> Result<std::string> {
                    return Error{ErrorKind::kEnvironment, "it did not end", ""};
                  }),
              HasSubstr("did not end"));
}

}  // namespace
}  // namespace xsp::collect::interconnect
