#include "derive/timeline/occupancy/device_limits.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace xsp::timeline::occupancy {
namespace {

using Facts = std::initializer_list<std::pair<const char*, const char*>>;

DeviceIndex IndexOf(Facts facts) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  for (const auto& [key, value] : facts) writer.SetFact(key, value);
  return DeviceIndex(trace);
}

TEST(DeviceIndexTest, TakesWhatATraceOfPyTorchStates) {
  const DeviceIndex index = IndexOf({{"deviceProperties.0.id", "3"},
                                     {"deviceProperties.0.numSms", "108"},
                                     {"deviceProperties.0.computeMajor", "8"},
                                     {"deviceProperties.0.computeMinor", "0"},
                                     {"deviceProperties.0.warpSize", "32"},
                                     {"deviceProperties.0.maxThreadsPerMultiprocessor", "2048"},
                                     {"deviceProperties.0.sharedMemPerMultiprocessor", "65536"}});
  const DeviceProperties* device = index.Find(3);
  ASSERT_NE(device, nullptr);
  EXPECT_EQ(device->multiprocessors, 108);
  ASSERT_TRUE(device->limits);
  EXPECT_EQ(device->limits->shared_bytes, 65536) << "what is stated comes first";
  EXPECT_EQ(device->limits->blocks, 32);
  EXPECT_EQ(device->limits->reserved_shared_bytes, 1024);
}

TEST(DeviceIndexTest, TakesWhatOurRecordingsState) {
  const DeviceIndex index = IndexOf(
      {{"cuda.device.0.multiprocessors", "68"}, {"cuda.device.0.compute_capability", "7.5"}});
  ASSERT_NE(index.Find(0), nullptr);
  ASSERT_TRUE(index.Find(0)->limits);
  EXPECT_EQ(index.Find(0)->limits->threads, 1024);
  EXPECT_EQ(index.Find(0)->limits->reserved_shared_bytes, 0);
}

TEST(DeviceIndexTest, KnowsNoLimitsOfOtherMakesAndNewerOnes) {
  const DeviceIndex amd = IndexOf({{"deviceProperties.0.numSms", "304"},
                                   {"deviceProperties.0.computeMajor", "9"},
                                   {"deviceProperties.0.computeMinor", "0"},
                                   {"deviceProperties.0.warpSize", "64"}});
  ASSERT_NE(amd.Find(0), nullptr);
  EXPECT_FALSE(amd.Find(0)->limits);
  const DeviceIndex newer = IndexOf(
      {{"cuda.device.0.multiprocessors", "200"}, {"cuda.device.0.compute_capability", "99.0"}});
  EXPECT_FALSE(newer.Find(0)->limits);
}

TEST(DeviceIndexTest, ADeviceThatIsNotStatedIsAsTheOthersIfTheseAreEqual) {
  const DeviceIndex equal =
      IndexOf({{"cuda.device.0.multiprocessors", "132"}, {"cuda.device.1.multiprocessors", "132"}});
  ASSERT_NE(equal.Find(7), nullptr);
  EXPECT_EQ(equal.Find(7)->multiprocessors, 132);
  const DeviceIndex unequal =
      IndexOf({{"cuda.device.0.multiprocessors", "132"}, {"cuda.device.1.multiprocessors", "108"}});
  EXPECT_EQ(unequal.Find(7), nullptr);
  EXPECT_EQ(unequal.Find(1)->multiprocessors, 108);
}

TEST(DeviceIndexTest, PassesOverWhatItCannotRead) {
  const DeviceIndex index = IndexOf({{"deviceProperties", "[]"},
                                     {"deviceProperties.", "1"},
                                     {"deviceProperties.x.numSms", "8"},
                                     {"deviceProperties.0", "8"},
                                     {"deviceProperties.1.numSms", "many"},
                                     {"deviceProperties.2.numSms", "-4"},
                                     {"deviceProperties.2.sharedMemPerMultiprocessor", "-1"}});
  EXPECT_EQ(index.Find(0), nullptr);
}

}  // namespace
}  // namespace xsp::timeline::occupancy
