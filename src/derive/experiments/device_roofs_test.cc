#include "derive/experiments/device_roofs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace xsp::experiments {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(DeviceRoofs, NamesComeFromProfilersAndFromOwnRecordings) {
  trace::Trace trace;
  EXPECT_THAT(DeviceNames(trace), IsEmpty());
  trace::TraceWriter writer(trace);
  writer.SetFact("deviceProperties.0.name", "NVIDIA A100-SXM4-80GB");
  writer.SetFact("deviceProperties.1.name", "NVIDIA A100-SXM4-80GB");
  writer.SetFact("deviceProperties.1.warpSize", "32");
  writer.SetFact("worker.name", "torch");
  EXPECT_THAT(DeviceNames(trace), ElementsAre("NVIDIA A100-SXM4-80GB"));
  writer.SetFact("cuda.device.0.name", "NVIDIA H200");
  EXPECT_THAT(DeviceNames(trace), ElementsAre("NVIDIA A100-SXM4-80GB", "NVIDIA H200"));
}

TEST(DeviceRoofs, OnlyKernelsOfADeviceCount) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({.kind = trace::TrackKind::kThread, .name = "main"});
  const auto add = [&](std::string_view type) {
    writer.AddSpan({.level = trace::Level::kKernel,
                    .type = type,
                    .name = "k",
                    .track = track,
                    .start_ns = 0,
                    .duration_ns = 1,
                    .parent = 0});
  };
  add(trace::type::kNative);
  add(trace::type::kPrimitive);
  add(trace::type::kMemcpy);
  EXPECT_FALSE(HasDeviceKernels(trace));
  add(trace::type::kKernel);
  EXPECT_TRUE(HasDeviceKernels(trace));
}

TEST(DeviceRoofs, OneKnownDeviceHasADataSheet) {
  const auto report = RoofsOfDevice({"AMD Instinct MI300X VF"});
  ASSERT_TRUE(report.ok()) << report.error().what;
  double bandwidth = 0;
  for (const roofs::Roof& roof : report.value().roofs) {
    EXPECT_EQ(roof.provenance, "data_sheet");
    EXPECT_TRUE(roof.used);
    if (roof.kind == "bandwidth") bandwidth = roof.value;
  }
  EXPECT_EQ(bandwidth, 5.3e12);
}

TEST(DeviceRoofs, OtherwiseTheReasonIsStated) {
  EXPECT_THAT(RoofsOfDevice({}).error().what, HasSubstr("does not name its device"));
  EXPECT_THAT(RoofsOfDevice({"Example GPU"}).error().what, HasSubstr("Example GPU"));
  EXPECT_THAT(RoofsOfDevice({"NVIDIA H100", "NVIDIA H200"}).error().what,
              HasSubstr("several kinds of devices: NVIDIA H100, NVIDIA H200"));
  EXPECT_EQ(RoofsOfDevice({"Example GPU"}).error().kind, ErrorKind::kNotPossible);
}

}  // namespace
}  // namespace xsp::experiments
