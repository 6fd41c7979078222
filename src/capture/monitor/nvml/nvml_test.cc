#include "capture/monitor/nvml/nvml.h"

#include <gmock/gmock.h>

#include <cmath>

#include "capture/monitor/sampler_testing.h"

namespace xsp::monitor::nvml {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr int kNotSupported = 3;
constexpr int kGpuIsLost = 15;

/// A driver made of numbers: two GPUs, of which the second has little.
struct Driver {
  int started = kSuccess;
  unsigned count = 2;
  bool lost = false;
  unsigned busy = 50;
  unsigned long long reasons = 0x4 | 0x20 | 0x1;
  std::uint64_t nvlink_sent_kib = 1000, nvlink_received_kib = 2000;
  std::uint64_t pcie_sent = 1 << 20;
  unsigned pcie_type = kUnsignedLongLong;
  int pcie_result = kSuccess;
  unsigned long long energy_mj = 5'000'000;
  bool has_energy = true;
  bool has_instant_power = true;
  unsigned instant_power_type = kUnsigned;
  int open = 0;        ///< Calls of init less those of shutdown.
  int slow_calls = 0;  ///< Calls that would take 20 ms.
} driver;

Device Handle(unsigned index) { return reinterpret_cast<Device>(std::uintptr_t{index} + 1); }
bool IsFirst(Device device) { return device == Handle(0); }
int Answer(Device device) {
  if (driver.lost) return kGpuIsLost;
  return IsFirst(device) ? kSuccess : kNotSupported;
}

int Init() {
  if (driver.started == kSuccess) ++driver.open;
  return driver.started;
}
int Shutdown() {
  --driver.open;
  return kSuccess;
}
const char* ErrorString(int result) { return result == kNotSupported ? "Not Supported" : "Bad"; }
int Count(unsigned* count) {
  *count = driver.count;
  return kSuccess;
}
int Open(unsigned index, Device* device) {
  *device = Handle(index);
  return kSuccess;
}
int Use(Device device, Utilization* use) {
  *use = {driver.busy, 25};
  return driver.lost || device == nullptr ? kGpuIsLost : kSuccess;
}
int MemoryOf(Device device, Memory* memory) {
  *memory = {100, 40, 60};
  return Answer(device);
}
int ClockOf(Device device, int clock, unsigned* mhz) {
  *mhz = clock == kClockSm ? 1980 : 3201;
  return Answer(device);
}
int Reasons(Device device, unsigned long long* bits) {
  *bits = driver.reasons;
  return Answer(device);
}
int Power(Device device, unsigned* mw) {
  *mw = 123'500;
  return Answer(device);
}
int Energy(Device device, unsigned long long* mj) {
  *mj = driver.energy_mj;
  return driver.has_energy ? Answer(device) : kNotSupported;
}
int Temperature(Device device, int, unsigned* celsius) {
  *celsius = 41;
  return Answer(device);
}
int PcieRate(Device, int counter, unsigned* kib_per_s) {
  ++driver.slow_calls;
  *kib_per_s = counter == kPcieSent ? 10 : 20;
  return kSuccess;
}
void InstantPower(Device device, FieldValue& field) {
  EXPECT_EQ(field.scope, 0u);
  field.type = driver.instant_power_type;
  field.result = driver.has_instant_power ? Answer(device) : kNotSupported;
  field.value.as_unsigned_long_long = 0xffff'ffff'ffff'ffff;  // What is not of the type's width.
  if (field.type == kUnsigned) field.value.as_unsigned = 321'500;
  if (field.type == kUnsignedLongLong) field.value.as_unsigned_long_long = 321'500;
}
int Fields(Device device, int count, FieldValue* fields) {
  for (int i = 0; i < count; ++i) {
    FieldValue& field = fields[i];
    if (field.field == kFieldInstantPowerMw) {
      InstantPower(device, field);
      continue;
    }
    const bool is_nvlink =
        field.field == kFieldNvlinkSentKib || field.field == kFieldNvlinkReceivedKib;
    EXPECT_EQ(field.scope, is_nvlink ? kAllLinks : 0u);
    field.type = is_nvlink ? unsigned{kUnsignedLongLong} : driver.pcie_type;
    field.result = is_nvlink ? Answer(device) : driver.pcie_result;
    field.value.as_unsigned_long_long = field.field == kFieldNvlinkSentKib ? driver.nvlink_sent_kib
                                        : field.field == kFieldNvlinkReceivedKib
                                            ? driver.nvlink_received_kib
                                            : driver.pcie_sent;
  }
  return kSuccess;
}

class NvmlSamplerTest : public testing::Test {
 protected:
  NvmlSamplerTest() { driver = Driver(); }
  Api api_{.init = Init,
           .shutdown = Shutdown,
           .error_string = ErrorString,
           .device_count = Count,
           .device = Open,
           .name = nullptr,
           .utilization = Use,
           .memory = MemoryOf,
           .clock_mhz = ClockOf,
           .throttle_reasons = Reasons,
           .power_mw = Power,
           .energy_mj = Energy,
           .temperature_c = Temperature,
           .pcie_kib_per_s = PcieRate,
           .field_values = Fields};
};

TEST_F(NvmlSamplerTest, ReadsTheStateOfEachGpuInBaseUnits) {
  ReadSampler sampler(OpenWith(api_));
  sampler.Read();
  EXPECT_EQ(sampler.Value("nvml.gpu_busy_share", "gpu 0"), 0.5);
  EXPECT_EQ(sampler.Value("nvml.gpu_busy_share", "gpu 1"), 0.5);
  EXPECT_EQ(sampler.Value("nvml.memory_busy_share", "gpu 0"), 0.25);
  EXPECT_EQ(sampler.Value("nvml.memory_used_bytes", "gpu 0"), 60);
  EXPECT_EQ(sampler.Value("nvml.sm_clock_hz", "gpu 0"), 1.98e9);
  EXPECT_EQ(sampler.Value("nvml.memory_clock_hz", "gpu 0"), 3.201e9);
  EXPECT_EQ(sampler.Value("nvml.power_watts", "gpu 0"), 123.5);
  EXPECT_EQ(sampler.Value("nvml.temperature_celsius", "gpu 0"), 41);
  EXPECT_EQ(sampler.Value("nvml.throttled_by_power_cap", "gpu 0"), 1);
  EXPECT_EQ(sampler.Value("nvml.throttled_by_heat", "gpu 0"), 1);
  EXPECT_EQ(sampler.Value("nvml.throttled_by_hardware", "gpu 0"), 0);
}

TEST_F(NvmlSamplerTest, WhatAGpuRefusesIsHiddenWithTheLibrarysReason) {
  ReadSampler sampler(OpenWith(api_));
  EXPECT_THAT(sampler.Hidden(), Contains("nvml.memory_used_bytes: gpu 1: Not Supported"));
  EXPECT_THAT(sampler.Hidden(), Contains("nvml.nvlink: gpu 1: Not Supported"));
  EXPECT_THAT(sampler.Channels(), Not(Contains(HasSubstr("power_watts gpu 1"))));
}

TEST_F(NvmlSamplerTest, TrafficIsTheGrowthOfCounters) {
  ReadSampler sampler(OpenWith(api_));
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("nvml.nvlink_sent_bytes_per_s", "gpu 0"));
  driver.nvlink_sent_kib += 5;
  driver.pcie_sent += 300;
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("nvml.nvlink_sent_bytes_per_s", "gpu 0"), 5 * 1024 * 10);
  EXPECT_DOUBLE_EQ(sampler.Value("nvml.nvlink_received_bytes_per_s", "gpu 0"), 0);
  EXPECT_DOUBLE_EQ(sampler.Value("nvml.pcie_sent_bytes_per_s", "gpu 0"), 3000);
  EXPECT_EQ(driver.slow_calls, 0);
  driver.nvlink_sent_kib = 0;  // The driver was reset.
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("nvml.nvlink_sent_bytes_per_s", "gpu 0"));
}

TEST_F(NvmlSamplerTest, WithoutCountersOneDirectionOfOneGpuIsMeasuredAtATime) {
  for (const bool narrow : {false, true}) {
    SCOPED_TRACE(narrow);
    driver = Driver();
    if (narrow) {
      driver.pcie_type = kUnsigned;
    } else {
      driver.pcie_result = kNotSupported;
    }
    ReadSampler sampler(OpenWith(api_));
    driver.slow_calls = 0;
    double sums[4] = {};
    int known = 0;
    for (int i = 0; i < 4; ++i) {
      sampler.Read();
      int at = 0;
      for (const char* part : {"gpu 0", "gpu 1"}) {
        for (const char* name : {"nvml.pcie_sent_bytes_per_s", "nvml.pcie_received_bytes_per_s"}) {
          if (!sampler.IsUnknown(name, part)) {
            sums[at] += sampler.Value(name, part);
            ++known;
          }
          ++at;
        }
      }
    }
    EXPECT_EQ(driver.slow_calls, 4);
    EXPECT_EQ(known, 4);
    EXPECT_THAT(sums, ElementsAre(10 * 1024, 20 * 1024, 10 * 1024, 20 * 1024));
  }
}

TEST_F(NvmlSamplerTest, PowerForEnergyIsTheGrowthOfTheCounterFromStepToStep) {
  ReadSampler sampler(OpenWith(api_));
  EXPECT_THAT(sampler.Channels(), Contains("nvml.mean_power_watts gpu 0 [watt]"));
  EXPECT_THAT(sampler.Channels(), Not(Contains(HasSubstr("instant_power"))));
  const auto read = [&](unsigned long long grown_mj) {
    driver.energy_mj += grown_mj;
    sampler.Read();
    return sampler.Value("nvml.mean_power_watts", "gpu 0");
  };
  EXPECT_TRUE(std::isnan(read(0)));
  EXPECT_TRUE(std::isnan(read(70'000))) << "when this step began is not known";
  EXPECT_DOUBLE_EQ(read(30'000), 300);
  EXPECT_TRUE(std::isnan(read(0)));
  EXPECT_TRUE(std::isnan(read(0)));
  EXPECT_DOUBLE_EQ(read(60'000), 200) << "of three tenths of a second";
  EXPECT_EQ(sampler.Value("nvml.power_watts", "gpu 0"), 123.5);
  driver.energy_mj = 0;  // The driver was loaded again.
  EXPECT_TRUE(std::isnan(read(0)));
  EXPECT_TRUE(std::isnan(read(10'000)));
  EXPECT_DOUBLE_EQ(read(10'000), 100);
}

TEST_F(NvmlSamplerTest, EnergyThatCouldNotBeReadForAMomentIsNotLost) {
  ReadSampler sampler(OpenWith(api_));
  for (int i = 0; i < 2; ++i) {
    driver.energy_mj += 10'000;
    sampler.Read();
  }
  driver.lost = true;
  driver.energy_mj += 20'000;
  sampler.Read();
  EXPECT_TRUE(sampler.IsUnknown("nvml.mean_power_watts", "gpu 0"));
  driver.lost = false;
  sampler.Read();
  EXPECT_DOUBLE_EQ(sampler.Value("nvml.mean_power_watts", "gpu 0"), 100);
}

TEST_F(NvmlSamplerTest, WithoutACounterOfEnergyPowerIsOfTheMoment) {
  driver.has_energy = false;
  for (const ValueType type : {kUnsigned, kUnsignedLongLong}) {
    driver.instant_power_type = type;
    ReadSampler sampler(OpenWith(api_));
    EXPECT_THAT(sampler.Channels(), Contains("nvml.instant_power_watts gpu 0 [watt]"));
    EXPECT_THAT(sampler.Channels(), Not(Contains(HasSubstr("mean_power"))));
    EXPECT_THAT(sampler.Hidden(),
                Contains("nvml.energy: gpu 0: no counter of energy: Not Supported"));
    sampler.Read();
    EXPECT_DOUBLE_EQ(sampler.Value("nvml.instant_power_watts", "gpu 0"), 321.5);
    EXPECT_EQ(sampler.Value("nvml.power_watts", "gpu 0"), 123.5);
  }
}

TEST_F(NvmlSamplerTest, WithoutEitherOnlyTheMeanOverASecondIsLeft) {
  api_.energy_mj = nullptr;
  for (const bool has_field : {false, true}) {
    driver.has_instant_power = has_field;
    driver.instant_power_type = kDouble;  // Not what it is documented as.
    ReadSampler sampler(OpenWith(api_));
    EXPECT_THAT(sampler.Channels(), Contains("nvml.power_watts gpu 0 [watt]"));
    EXPECT_THAT(sampler.Channels(), Not(Contains(HasSubstr("mean_power"))));
    EXPECT_THAT(sampler.Channels(), Not(Contains(HasSubstr("instant_power"))));
    EXPECT_THAT(sampler.Hidden(),
                Contains("nvml.energy: gpu 0: no counter of energy: the driver has no such call"));
  }
}

TEST_F(NvmlSamplerTest, AGpuThatIsLostInBetweenHasNoValues) {
  ReadSampler sampler(OpenWith(api_));
  sampler.Read();
  driver.lost = true;
  sampler.Read();
  for (const char* name : {"nvml.gpu_busy_share", "nvml.memory_used_bytes", "nvml.power_watts",
                           "nvml.throttled_by_heat", "nvml.nvlink_sent_bytes_per_s"})
    EXPECT_TRUE(sampler.IsUnknown(name, "gpu 0")) << name;
  driver.lost = false;
  sampler.Read();
  EXPECT_EQ(sampler.Value("nvml.gpu_busy_share", "gpu 0"), 0.5);
}

TEST_F(NvmlSamplerTest, CallsThatAnOldDriverLacksAreHidden) {
  api_ = {.init = Init, .device_count = Count, .device = Open, .utilization = Use};
  driver.count = 1;
  ReadSampler sampler(OpenWith(api_));
  EXPECT_THAT(sampler.Channels(),
              ElementsAre("nvml.gpu_busy_share gpu 0 [1]", "nvml.memory_busy_share gpu 0 [1]"));
  EXPECT_THAT(sampler.Hidden(), Contains("nvml.power_watts: gpu 0: the driver has no such call"));
  EXPECT_THAT(sampler.Hidden(), Contains("nvml.pcie: gpu 0: the driver has no such call"));
  sampler.Read();
  EXPECT_EQ(sampler.Value("nvml.gpu_busy_share", "gpu 0"), 0.5);
}

TEST_F(NvmlSamplerTest, TheLibraryIsLeftAsItWasFound) {
  { ReadSampler sampler(OpenWith(api_)); }
  EXPECT_EQ(driver.open, 0);
  driver.started = 9;
  {
    ReadSampler sampler(OpenWith(api_));
    EXPECT_THAT(sampler.Hidden(), ElementsAre("nvml: NVML does not start: Bad"));
  }
  EXPECT_EQ(driver.open, 0) << "what did not start is not ended";
}

TEST_F(NvmlSamplerTest, AMachineWithoutTheDriverOrAGpuSaysSo) {
  driver.count = 0;
  EXPECT_THAT(ReadSampler(OpenWith(api_)).Hidden(),
              ElementsAre("nvml: the NVIDIA driver has no device here"));
  // Whatever this machine has, it says it.
  ReadSampler here(kSpec.open(collect::MachineFiles()));
  if (here.Channels().empty()) {
    EXPECT_THAT(here.Hidden(), Not(IsEmpty()));
  }
  here.Read();
}

}  // namespace
}  // namespace xsp::monitor::nvml
