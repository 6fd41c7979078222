// Records as CUPTI's headers of this build have them, the newest of each kind and the oldest that
// is read, put through the decoder into a recording.
#include "capture/record/cuda/activity/activity_decoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "capture/wire/collected_records.h"

namespace xsp::record::cuda {
namespace {

using wire::CollectedRecords;
using Span = CollectedRecords::Span;

class ActivityDecoderTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(xsp_open(path_.c_str(), nullptr), 0); }
  void TearDown() override { xsp_close(); }

  template <typename Record>
  void Decode(const Record& record) {
    decoder_.Decode(&record, sizeof record);
  }

  /// Ends the recording and reads it.
  const CollectedRecords& Read() {
    xsp_close();
    read_ = wire::ReadRecording(path_);
    return *read_;
  }
  const wire::TrackInfo& TrackOf(std::uint32_t track) const { return read_->tracks.at(track - 1); }

  std::string Fact(const std::string& key) const {
    for (const auto& attribute : read_->attributes)
      if (attribute.span == 0 && attribute.key == key) return attribute.value;
    return "";
  }

  static CUpti_ActivityContext4 ContextOn(std::uint32_t context, std::uint32_t device) {
    CUpti_ActivityContext4 record = {};
    record.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
    record.contextId = context;
    record.deviceId = device;
    return record;
  }
  /// Of context 3, by the call of a correlation id.
  static CUpti_ActivityCudaEvent2 EventOn(std::uint32_t stream, std::uint32_t event,
                                          std::uint32_t correlation) {
    CUpti_ActivityCudaEvent2 record = {};
    record.kind = CUPTI_ACTIVITY_KIND_CUDA_EVENT;
    record.correlationId = correlation;
    record.contextId = 3;
    record.streamId = stream;
    record.eventId = event;
    return record;
  }
  static CUpti_ActivitySynchronization2 WaitFor(std::uint32_t event, std::uint32_t correlation) {
    CUpti_ActivitySynchronization2 record = {};
    record.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
    record.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT;
    record.start = 1000;
    record.end = 1700;
    record.correlationId = correlation;
    record.contextId = 3;
    record.streamId = 14;
    record.cudaEventId = event;
    return record;
  }
  static CUpti_ActivityKernel11 KernelOn(std::uint32_t context, std::uint32_t stream,
                                         std::uint64_t start) {
    CUpti_ActivityKernel11 record = {};
    record.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    record.contextId = context;
    record.streamId = stream;
    record.start = start;
    record.end = start + 10;
    record.name = "k";
    return record;
  }

  wire::ScratchFolder folder_;
  const std::string path_ = folder_ / "decoded.xspr";
  std::string call_name_ = "cudaLaunchKernel_v7000";
  ActivityDecoder decoder_{[this](CUpti_CallbackDomain, CUpti_CallbackId) { return call_name_; }};
  std::unique_ptr<CollectedRecords> read_;
};

TEST_F(ActivityDecoderTest, WaitsLieOnTheStreamThatWasWaitedFor) {
  Decode(ContextOn(3, 1));
  Decode(EventOn(13, 5, 70));
  Decode(WaitFor(5, 77));
  CUpti_ActivitySynchronization2 wait = WaitFor(CUPTI_SYNCHRONIZATION_INVALID_VALUE, 78);
  wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE;
  wait.streamId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  Decode(wait);
  wait.contextId = 4;  // Of which nothing is known.
  Decode(wait);
  EXPECT_EQ(decoder_.counts().placeless, 0u) << "it may still come";
  decoder_.Settle(true);
  EXPECT_EQ(decoder_.counts().placeless, 1u);
  Read();
  ASSERT_EQ(read_->spans.size(), 2u);
  const Span& stream = read_->spans[1];
  EXPECT_EQ(stream.level, XSP_LEVEL_LIBRARY);
  EXPECT_EQ(stream.type, "synchronisation");
  EXPECT_EQ(stream.name, "Stream Wait Event");
  EXPECT_EQ(stream.details, "awaited_stream=13");
  EXPECT_EQ(stream.start_ns, 1000);
  EXPECT_EQ(stream.end_ns, 1700);
  EXPECT_EQ(stream.correlation_id, 0u) << "waiting launches nothing";
  EXPECT_EQ(TrackOf(stream.track).kind, XSP_TRACK_STREAM);
  EXPECT_EQ(TrackOf(stream.track).owner, 1u);
  EXPECT_EQ(TrackOf(stream.track).stream, 14);
  const Span& whole = read_->spans[0];
  EXPECT_EQ(whole.name, "Context Sync");
  EXPECT_EQ(whole.details, "");
  EXPECT_EQ(TrackOf(whole.track).stream, -1);
}

// Each thread has buffers of its own, and in none of them records are in order.
TEST_F(ActivityDecoderTest, WaitsThatComeBeforeTheirContextAndEventArePlacedOnceTheseHaveCome) {
  Decode(WaitFor(5, 77));
  Decode(WaitFor(CUPTI_SYNCHRONIZATION_INVALID_VALUE, 78));
  decoder_.Settle(false);
  Decode(EventOn(13, 5, 70));
  Decode(ContextOn(3, 1));
  decoder_.Settle(true);
  EXPECT_EQ(decoder_.counts().placeless, 0u);
  Read();
  ASSERT_EQ(read_->spans.size(), 2u);
  EXPECT_EQ(read_->spans[0].details, "awaited_stream=13");
  EXPECT_EQ(read_->spans[1].details, "");
  for (const Span& span : read_->spans) EXPECT_EQ(TrackOf(span.track).owner, 1u);
}

TEST_F(ActivityDecoderTest, AWaitIsForTheLastCallBeforeItThatRecordedTheEvent) {
  Decode(ContextOn(3, 1));
  Decode(EventOn(15, 5, 90));  // Recorded again, after the wait.
  Decode(EventOn(12, 5, 10));
  Decode(WaitFor(5, 77));
  decoder_.Settle(false);
  Decode(EventOn(13, 5, 70));  // Told of late, by another thread's buffer.
  for (int round = 0; round < 2; ++round) decoder_.Settle(false);
  Decode(WaitFor(5, 95));
  decoder_.Settle(true);
  Read();
  ASSERT_EQ(read_->spans.size(), 2u);
  EXPECT_EQ(read_->spans[0].details, "awaited_stream=13");
  EXPECT_EQ(read_->spans[1].details, "awaited_stream=15");
}

TEST_F(ActivityDecoderTest, WaitsForEventsAreKeptBackOverTwoRounds) {
  Decode(ContextOn(3, 1));
  Decode(WaitFor(5, 77));
  for (int round = 0; round < 3; ++round) decoder_.Settle(false);
  Decode(EventOn(13, 5, 70));  // Too late.
  decoder_.Settle(true);
  Read();
  ASSERT_EQ(read_->spans.size(), 1u);
  EXPECT_EQ(read_->spans[0].details, "");
}

TEST_F(ActivityDecoderTest, OfAnEventThatIsRecordedOftenTheLastCallIsRemembered) {
  Decode(ContextOn(3, 1));
  for (std::uint32_t call = 0; call < 1000; ++call) {
    Decode(EventOn(call, 5, 2 * call));
    if (call % 10 == 0) decoder_.Settle(false);
  }
  for (int round = 0; round < 10; ++round) decoder_.Settle(false);
  Decode(WaitFor(5, 5000));
  Decode(WaitFor(5, 100));  // A call of long ago, which is no longer known.
  decoder_.Settle(true);
  Read();
  ASSERT_EQ(read_->spans.size(), 2u);
  EXPECT_EQ(read_->spans[0].details, "awaited_stream=999");
  EXPECT_EQ(read_->spans[1].details, "");
}

TEST_F(ActivityDecoderTest, SetsAreDeviceWorkWithTheirBytes) {
  CUpti_ActivityMemset4 set = {};
  set.kind = CUPTI_ACTIVITY_KIND_MEMSET;
  set.bytes = 4096;
  set.start = 500;
  set.end = 900;
  set.deviceId = 2;
  set.contextId = 1;
  set.streamId = 7;
  set.correlationId = 12;
  set.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  set.graphNodeId = 99;
  Decode(set);
  Read();
  ASSERT_EQ(read_->spans.size(), 1u);
  const Span& span = read_->spans[0];
  EXPECT_EQ(span.level, XSP_LEVEL_KERNEL);
  EXPECT_EQ(span.type, "memset");
  EXPECT_EQ(span.name, "Memset (Device)");
  EXPECT_EQ(span.bytes, 4096u);
  EXPECT_EQ(span.correlation_id, 12u);
  EXPECT_EQ(span.graph_node, 99u);
  EXPECT_EQ(TrackOf(span.track).owner, 2u);
}

TEST_F(ActivityDecoderTest, CopiesBetweenDevicesNameBoth) {
  CUpti_ActivityMemcpyPtoP4 copy = {};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY2;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_PTOP;
  copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_MANAGED;
  copy.bytes = 1 << 20;
  copy.start = 100;
  copy.end = 300;
  copy.deviceId = 1;
  copy.contextId = 1;
  copy.streamId = 21;
  copy.srcDeviceId = 0;
  copy.dstDeviceId = 1;
  copy.correlationId = 8;
  Decode(copy);
  Read();
  ASSERT_EQ(read_->spans.size(), 1u);
  const Span& span = read_->spans[0];
  EXPECT_EQ(span.type, "memcpy");
  EXPECT_EQ(span.name, "Memcpy PtoP (Device -> Managed)");
  EXPECT_EQ(span.details, "direction=peer_to_peer\nfrom_device=0\nto_device=1");
  EXPECT_EQ(span.bytes, std::uint64_t{1} << 20);
  EXPECT_EQ(TrackOf(span.track).stream, 21);
}

TEST_F(ActivityDecoderTest, DevicesAreFacts) {
  CUpti_ActivityDevice6 device = {};
  device.kind = CUPTI_ACTIVITY_KIND_DEVICE;
  device.id = 3;
  device.name = "A device";
  device.computeCapabilityMajor = 9;
  device.computeCapabilityMinor = 0;
  device.numMultiprocessors = 132;
  device.globalMemorySize = std::uint64_t{80} << 30;
  Decode(device);
  Read();
  EXPECT_EQ(Fact("cuda.device.3.name"), "A device");
  EXPECT_EQ(Fact("cuda.device.3.compute_capability"), "9.0");
  EXPECT_EQ(Fact("cuda.device.3.multiprocessors"), "132");
  EXPECT_EQ(Fact("cuda.device.3.memory_bytes"), "85899345920");
}

TEST_F(ActivityDecoderTest, OverheadLiesWhereItWasSpent) {
  CUpti_ActivityOverhead3 overhead = {};
  overhead.kind = CUPTI_ACTIVITY_KIND_OVERHEAD;
  overhead.overheadKind = CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH;
  overhead.start = 10;
  overhead.end = 30;
  overhead.objectKind = CUPTI_ACTIVITY_OBJECT_THREAD;
  overhead.objectId.pt.processId = 100;
  overhead.objectId.pt.threadId = 101;
  Decode(overhead);
  overhead.objectKind = CUPTI_ACTIVITY_OBJECT_PROCESS;
  Decode(overhead);
  overhead.objectKind = CUPTI_ACTIVITY_OBJECT_STREAM;
  overhead.objectId.dcs.deviceId = 1;
  Decode(overhead);
  EXPECT_EQ(decoder_.counts().placeless, 0u);
  overhead.objectKind = CUPTI_ACTIVITY_OBJECT_UNKNOWN;
  Decode(overhead);
  EXPECT_EQ(decoder_.counts().placeless, 1u);
  Read();
  ASSERT_EQ(read_->spans.size(), 3u);
  for (const Span& span : read_->spans) {
    EXPECT_EQ(span.type, "profiler_overhead");
    EXPECT_EQ(span.name, "Buffer Flush");
    EXPECT_EQ(span.end_ns - span.start_ns, 20);
  }
  EXPECT_EQ(TrackOf(read_->spans[0].track).owner, 101u);
  const wire::TrackInfo& process = TrackOf(read_->spans[1].track);
  EXPECT_EQ(process.owner, 0u) << "no thread: it must not nest in what one did";
  EXPECT_EQ(process.name, "CUPTI");
  EXPECT_EQ(TrackOf(read_->spans[2].track).kind, XSP_TRACK_DEVICE);
  EXPECT_EQ(TrackOf(read_->spans[2].track).owner, 1u);
}

TEST_F(ActivityDecoderTest, ReleasedMemoryLeavesTheSum) {
  CUpti_ActivityMemory4 memory = {};
  memory.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
  memory.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  memory.bytes = 300;
  memory.timestamp = 10;
  Decode(memory);
  memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE;
  memory.bytes = 100;
  memory.timestamp = 20;
  Decode(memory);
  memory.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;  // The host's.
  Decode(memory);
  Read();
  ASSERT_EQ(read_->counters.size(), 4u);
  EXPECT_EQ(read_->counters[2].name, "driver_allocation_bytes");
  EXPECT_EQ(read_->counters[2].value, -100);
  EXPECT_EQ(read_->counters[3].name, "driver_allocated_bytes");
  EXPECT_EQ(read_->counters[3].value, 200);
  EXPECT_EQ(read_->counters[3].time_ns, 20);
}

TEST_F(ActivityDecoderTest, ContextsOfADeviceHaveStreamsOfTheirOwn) {
  Decode(KernelOn(1, 7, 100));
  Decode(KernelOn(2, 7, 105));
  Decode(KernelOn(1, 7, 120));
  Read();
  ASSERT_EQ(read_->spans.size(), 3u);
  EXPECT_EQ(read_->spans[0].track, read_->spans[2].track);
  EXPECT_NE(read_->spans[0].track, read_->spans[1].track);
  EXPECT_EQ(TrackOf(read_->spans[0].track).name, "");
  EXPECT_EQ(TrackOf(read_->spans[1].track).name, "device 0 context 2 stream 7");
}

TEST_F(ActivityDecoderTest, CallsOfProgramsWithAStreamAThreadHaveTheSameNames) {
  CUpti_ActivityAPI call = {};
  call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  call.start = 1;
  call.end = 2;
  call.threadId = 5;
  call.cbid = 1;
  call_name_ = "cudaLaunchKernel_ptsz_v7000";
  Decode(call);
  call.kind = CUPTI_ACTIVITY_KIND_DRIVER;
  call.cbid = 2;
  call.returnValue = 2;
  call_name_ = "cuMemcpyHtoD_v2_ptds";
  Decode(call);
  call.cbid = 3;
  call_name_ = "cudaStreamIsCapturing_ptsz_v10000";  // One of those that are left out.
  Decode(call);
  call.cbid = 4;
  call_name_ = "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags";
  Decode(call);
  Read();
  ASSERT_EQ(read_->spans.size(), 2u);
  EXPECT_EQ(read_->spans[0].name, "cudaLaunchKernel");
  EXPECT_EQ(read_->spans[0].type, "cuda_runtime");
  EXPECT_EQ(read_->spans[1].name, "cuMemcpyHtoD");
  EXPECT_EQ(read_->spans[1].type, "cuda_driver");
  EXPECT_EQ(read_->spans[1].details, "returned=2");
}

// Every kind, cut at every length: nothing is read behind the end (the sanitizers watch).
TEST_F(ActivityDecoderTest, CutRecordsAreCountedAndNotRead) {
  for (const CUpti_ActivityKind kind :
       {CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL,
        CUPTI_ACTIVITY_KIND_MEMCPY, CUPTI_ACTIVITY_KIND_MEMCPY2, CUPTI_ACTIVITY_KIND_MEMSET,
        CUPTI_ACTIVITY_KIND_RUNTIME, CUPTI_ACTIVITY_KIND_DRIVER,
        CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, CUPTI_ACTIVITY_KIND_OVERHEAD,
        CUPTI_ACTIVITY_KIND_MEMORY2, CUPTI_ACTIVITY_KIND_DEVICE, CUPTI_ACTIVITY_KIND_CONTEXT,
        CUPTI_ACTIVITY_KIND_CUDA_EVENT}) {
    for (std::size_t bytes = 0; bytes < 16; ++bytes) {
      std::vector<char> record(bytes);
      if (bytes >= sizeof kind) std::memcpy(record.data(), &kind, sizeof kind);
      const auto before = decoder_.counts().cut;
      decoder_.Decode(record.data(), bytes);
      EXPECT_EQ(decoder_.counts().cut, before + 1) << kind << " of " << bytes;
    }
  }
  EXPECT_EQ(decoder_.counts().unknown, 0u);
  Read();
  EXPECT_TRUE(read_->spans.empty());
}

TEST_F(ActivityDecoderTest, OtherKindsAreCountedAsUnknown) {
  CUpti_ActivityMarker2 marker = {};
  marker.kind = CUPTI_ACTIVITY_KIND_MARKER;
  Decode(marker);
  EXPECT_EQ(decoder_.counts().unknown, 1u);
}

}  // namespace
}  // namespace xsp::record::cuda
