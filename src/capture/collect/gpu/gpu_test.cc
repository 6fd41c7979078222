#include "capture/collect/gpu/gpu.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "capture/collect/fixture_tree.h"

namespace xsp::collect::gpu {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(GpuCollectorTest, ReadsTheNvidiaDriverAndItsDevices) {
  const FixtureTree tree(
      {{"proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX x86_64 Kernel Module  590.48.01  Mon Dec  8 UTC 2025\n"
        "GCC version:  gcc version 12.2.0\n"},
       {"proc/driver/nvidia/gpus/0000:01:00.0/information",
        "Model: \t\t NVIDIA H200\nIRQ: 1\nGPU UUID: GPU-secret\n"},
       {"proc/driver/nvidia/gpus/0000:02:00.0/information", "Model: NVIDIA H200\n"},
       {"sys/bus/pci/devices/0000:01:00.0/class", "0x030200\n"},
       {"sys/bus/pci/devices/0000:01:00.0/vendor", "0x10de\n"},
       {"sys/bus/pci/devices/0000:01:00.0/device", "0x2335\n"},
       {"sys/bus/pci/devices/0000:00:1f.0/class", "0x060100\n"},
       {"sys/bus/pci/devices/0000:00:1f.0/vendor", "0x8086\n"},
       {"sys/bus/pci/devices/0000:00:1f.0/device", "0x1234\n"}});
  const auto facts = Collect(MachineFiles(tree.root()), true);
  EXPECT_EQ(ValueOf(facts, "gpu.models"), "NVIDIA H200, NVIDIA H200");
  EXPECT_EQ(ValueOf(facts, "gpu.nvidia_driver"), "590.48.01");
  EXPECT_EQ(ValueOf(facts, "gpu.pci"), "10de:2335");
  EXPECT_EQ(ValueOf(facts, "gpu.nvidia_smi"), "found");
  for (const Fact& fact : facts) EXPECT_EQ(fact.value.find("secret"), std::string::npos);
}

TEST(GpuCollectorTest, SaysThatADriverIsMissing) {
  const FixtureTree tree({{"sys/bus/pci/devices/0000:03:00.0/class", "0x120000\n"},
                          {"sys/bus/pci/devices/0000:03:00.0/vendor", "0x1002\n"},
                          {"sys/bus/pci/devices/0000:03:00.0/device", "0x74a1\n"},
                          {"sys/module/amdgpu/version", "6.10.5\n"}});
  const auto facts = Collect(MachineFiles(tree.root()), false);
  EXPECT_EQ(ValueOf(facts, "gpu.pci"), "1002:74a1");
  EXPECT_EQ(ValueOf(facts, "gpu.amd_driver"), "6.10.5");
  EXPECT_THAT(FactOf(facts, "gpu.models").why, HasSubstr("no NVIDIA driver is loaded"));
  EXPECT_THAT(BadFacts(facts, "gpu"), IsEmpty());
}

TEST(GpuCollectorTest, ReadsToolkitsOldAndNew) {
  const auto toolkit = [](const char* file, const char* text) {
    const FixtureTree tree({{file, text}});
    return FactOf(Collect(MachineFiles(tree.root()), false), "gpu.cuda_toolkit");
  };
  constexpr const char* kNew = "usr/local/cuda/version.json";
  EXPECT_EQ(toolkit(kNew, R"({"cuda": {"name": "CUDA SDK", "version": "12.4.1"}})").value,
            "12.4.1");
  EXPECT_EQ(toolkit("usr/local/cuda/version.txt", "CUDA Version 10.1.243\n").value, "10.1.243");
  EXPECT_EQ(toolkit(kNew, R"({"cuda": {"version": 12}})").value, "");
  EXPECT_THAT(toolkit(kNew, "{damaged").why, HasSubstr("no toolkit"));
  const FixtureTree amd({{"opt/rocm/.info/version", "6.1.0-82\n"}});
  EXPECT_EQ(ValueOf(Collect(MachineFiles(amd.root()), false), "gpu.rocm"), "6.1.0-82");
}

TEST(GpuCollectorTest, SaysThatThereIsNone) {
  const FixtureTree tree({});
  const auto facts = Collect(MachineFiles(tree.root()), false);
  EXPECT_THAT(FactOf(facts, "gpu.models").why, HasSubstr("no PCI bus"));
  EXPECT_THAT(BadFacts(facts, "gpu"), IsEmpty());
}

TEST(GpuCollectorTest, WorksOnThisMachine) {
  EXPECT_THAT(BadFacts(kSpec.collect(), "gpu"), IsEmpty());
}

}  // namespace
}  // namespace xsp::collect::gpu
