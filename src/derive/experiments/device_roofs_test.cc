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

roofs::NamedRoofs Named(const std::string& name, roofs::NamedRoofs::Processor processor) {
  roofs::NamedRoofs named{name, processor, {}};
  named.report.machine = name;
  return named;
}

/// The processor whose roofs a trace gets; "none" or the error, if there are none.
std::string ChosenFrom(const std::vector<roofs::NamedRoofs>& named, bool on_device,
                       const std::set<std::string>& devices) {
  const auto chosen = RoofsOfTrace(named, on_device, devices);
  if (!chosen.ok()) return chosen.error().what;
  return chosen.value() ? chosen.value()->machine : "none";
}

TEST(DeviceRoofs, OfAMachinesRoofsATraceGetsThoseOfItsProcessor) {
  using Processor = roofs::NamedRoofs::Processor;
  const auto cpu = Named("EPYC", Processor::kCpu);
  const auto a = Named("GPU A", Processor::kGpu), b = Named("GPU B", Processor::kGpu);
  EXPECT_EQ(ChosenFrom({cpu, a, b}, false, {}), "EPYC");
  EXPECT_EQ(ChosenFrom({cpu, a, b}, true, {"GPU B"}), "GPU B");
  EXPECT_EQ(ChosenFrom({cpu, b, b}, true, {}), "GPU B");
  EXPECT_EQ(ChosenFrom({cpu, b}, true, {"Example GPU"}), "GPU B");
  EXPECT_THAT(ChosenFrom({cpu, a, b}, true, {"Example GPU"}),
              HasSubstr("GPU (Example GPU); it has those of: EPYC, GPU A, GPU B"));
  EXPECT_THAT(ChosenFrom({cpu}, true, {}), HasSubstr("no roofs of the trace's GPU"));
  EXPECT_THAT(ChosenFrom({a}, false, {}), HasSubstr("no roofs of the trace's CPU"));
}

TEST(DeviceRoofs, ANamedDeviceReplacesThatOfTheTrace) {
  const auto named = ReadNamedRoofs({.device = "NVIDIA H100 80GB HBM3", .file = {}});
  ASSERT_TRUE(named.ok()) << named.error().what;
  EXPECT_EQ(ChosenFrom(named.value(), true, {"AMD Instinct MI300X VF"}), "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(ChosenFrom({}, false, {}), "none");
  EXPECT_THAT(ChosenFrom({}, true, {}), HasSubstr("does not name its device"));
  EXPECT_EQ(ReadNamedRoofs({.device = "Example GPU", .file = {}}).error().kind,
            ErrorKind::kNotPossible);
  EXPECT_EQ(ReadNamedRoofs({.device = "H100", .file = "roofs.json"}).error().kind,
            ErrorKind::kUsage);
}

}  // namespace
}  // namespace xsp::experiments
