#include "capture/record/cuda/activity/activity_decoder.h"

#include <cxxabi.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "capture/record/process.h"

namespace xsp::record::cuda {
namespace {

// The layouts read here are the smallest ones of CUDA 12.0; the asserts compare them with what the
// headers of this build say of the newest.
#define XSP_SAME(older, newer, field)                               \
  static_assert(offsetof(older, field) == offsetof(newer, field) && \
                sizeof(older::field) == sizeof(newer::field))
#if CUPTI_API_VERSION >= 130200
using NewestKernel = CUpti_ActivityKernel11;
using NewestMemcpy = CUpti_ActivityMemcpy6;
using NewestContext = CUpti_ActivityContext4;
using NewestDevice = CUpti_ActivityDevice6;
using NewestSync = CUpti_ActivitySynchronization2;
using NewestMemory = CUpti_ActivityMemory4;
using NewestOverhead = CUpti_ActivityOverhead3;
using NewestEvent = CUpti_ActivityCudaEvent2;
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, registersPerThread);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, start);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, end);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, deviceId);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, contextId);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, streamId);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, gridX);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, blockZ);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, staticSharedMemory);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, dynamicSharedMemory);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, correlationId);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, name);
XSP_SAME(CUpti_ActivityKernel9, NewestKernel, graphNodeId);
XSP_SAME(CUpti_ActivityMemcpy5, NewestMemcpy, copyKind);
XSP_SAME(CUpti_ActivityMemcpy5, NewestMemcpy, bytes);
XSP_SAME(CUpti_ActivityMemcpy5, NewestMemcpy, start);
XSP_SAME(CUpti_ActivityMemcpy5, NewestMemcpy, streamId);
XSP_SAME(CUpti_ActivityMemcpy5, NewestMemcpy, correlationId);
XSP_SAME(CUpti_ActivityMemcpy5, NewestMemcpy, graphNodeId);
XSP_SAME(CUpti_ActivityContext, NewestContext, contextId);
XSP_SAME(CUpti_ActivityContext, NewestContext, deviceId);
XSP_SAME(CUpti_ActivityDevice4, NewestDevice, id);
XSP_SAME(CUpti_ActivityDevice4, NewestDevice, name);
XSP_SAME(CUpti_ActivitySynchronization, NewestSync, type);
XSP_SAME(CUpti_ActivitySynchronization, NewestSync, start);
XSP_SAME(CUpti_ActivitySynchronization, NewestSync, correlationId);
XSP_SAME(CUpti_ActivitySynchronization, NewestSync, contextId);
XSP_SAME(CUpti_ActivitySynchronization, NewestSync, streamId);
XSP_SAME(CUpti_ActivitySynchronization, NewestSync, cudaEventId);
XSP_SAME(CUpti_ActivityMemory3, NewestMemory, memoryOperationType);
XSP_SAME(CUpti_ActivityMemory3, NewestMemory, memoryKind);
XSP_SAME(CUpti_ActivityMemory3, NewestMemory, bytes);
XSP_SAME(CUpti_ActivityMemory3, NewestMemory, timestamp);
XSP_SAME(CUpti_ActivityMemory3, NewestMemory, deviceId);
XSP_SAME(CUpti_ActivityOverhead, NewestOverhead, objectId);
XSP_SAME(CUpti_ActivityOverhead, NewestOverhead, start);
XSP_SAME(CUpti_ActivityOverhead, NewestOverhead, end);
XSP_SAME(CUpti_ActivityCudaEvent, NewestEvent, correlationId);
XSP_SAME(CUpti_ActivityCudaEvent, NewestEvent, contextId);
XSP_SAME(CUpti_ActivityCudaEvent, NewestEvent, streamId);
XSP_SAME(CUpti_ActivityCudaEvent, NewestEvent, eventId);
#endif
#undef XSP_SAME

xsp_string KernelType() { return Intern("kernel"); }

/// A record as its kind; the caller has seen that it is long enough.
template <typename Record>
Record As(const void* record) {
  Record copy;
  std::memcpy(&copy, record, sizeof copy);
  return copy;
}

/// The number of an enumerator as it stands in a record, which may be one that no header knows.
std::uint32_t NumberAt(const void* record, std::size_t offset) {
  std::uint32_t number;
  std::memcpy(&number, static_cast<const char*>(record) + offset, sizeof number);
  return number;
}

/// The least that a record of a kind holds; 0: the kind is not recorded.
std::size_t LeastBytes(std::uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(CUpti_ActivityKernel9);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(CUpti_ActivityMemcpy5);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return sizeof(CUpti_ActivityMemcpyPtoP4);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return sizeof(CUpti_ActivityMemset4);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return sizeof(CUpti_ActivityAPI);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return sizeof(CUpti_ActivitySynchronization);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return sizeof(CUpti_ActivityOverhead);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return sizeof(CUpti_ActivityMemory3);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return sizeof(CUpti_ActivityDevice4);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
      return sizeof(CUpti_ActivityContext);
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      return sizeof(CUpti_ActivityCudaEvent);
    default:
      return 0;
  }
}

const char* MemoryName(std::uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE:
      return "Pageable";
    case CUPTI_ACTIVITY_MEMORY_KIND_PINNED:
      return "Pinned";
    case CUPTI_ACTIVITY_MEMORY_KIND_DEVICE:
      return "Device";
    case CUPTI_ACTIVITY_MEMORY_KIND_ARRAY:
      return "Array";
    case CUPTI_ACTIVITY_MEMORY_KIND_MANAGED:
      return "Managed";
    default:
      return "Unknown";
  }
}

struct CopyName {
  const char* name;
  const char* direction;
};

/// As PyTorch's profiler names them, so that a recording of either is read alike.
CopyName NameOfCopy(std::uint8_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOD:
      return {"HtoD", "host_to_device"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOH:
      return {"DtoH", "device_to_host"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOA:
      return {"HtoA", "host_to_device"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOH:
      return {"AtoH", "device_to_host"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOA:
      return {"AtoA", "device_to_device"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_ATOD:
      return {"AtoD", "device_to_device"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOA:
      return {"DtoA", "device_to_device"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_DTOD:
      return {"DtoD", "device_to_device"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_HTOH:
      return {"HtoH", "host_to_host"};
    case CUPTI_ACTIVITY_MEMCPY_KIND_PTOP:
      return {"PtoP", "peer_to_peer"};
    default:
      return {"Unknown", "unknown"};
  }
}

const char* SynchronisationName(std::uint32_t type) {
  switch (type) {
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE:
      return "Event Sync";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT:
      return "Stream Wait Event";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE:
      return "Stream Sync";
    case CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE:
      return "Context Sync";
    default:
      return "Sync";
  }
}

const char* OverheadName(std::uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_OVERHEAD_DRIVER_COMPILER:
      return "Driver Compiler";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH:
      return "Buffer Flush";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION:
      return "Instrumentation";
    case CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE:
      return "Resource";
    case CUPTI_ACTIVITY_OVERHEAD_RUNTIME_TRIGGERED_MODULE_LOADING:
      return "Runtime Triggered Module Loading";
    case CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING:
      return "Lazy Function Loading";
    case CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL:
      return "Command Buffer Full";
    case CUPTI_ACTIVITY_OVERHEAD_ACTIVITY_BUFFER_REQUEST:
      return "Activity Buffer Request";
    default:
      return "Overhead";
  }
}

template <typename... Values>
xsp_string Format(const char* format, Values... values) {
  char text[256];
  const int length = std::snprintf(text, sizeof text, format, values...);
  if (length < 0) return 0;
  return Intern({text, std::min<std::size_t>(static_cast<std::size_t>(length), sizeof text - 1)});
}

}  // namespace

std::string PlainName(std::string name) {
  const auto drop_version = [&name] {
    const std::size_t at = name.rfind("_v");
    if (at != std::string::npos && at + 2 < name.size() &&
        name.find_first_not_of("0123456789", at + 2) == std::string::npos) {
      name.resize(at);
    }
  };
  drop_version();
  for (const std::string_view variant : {"_ptsz", "_ptds"}) {
    if (!name.ends_with(variant)) continue;
    name.resize(name.size() - variant.size());
    drop_version();
  }
  return name;
}

bool IsLeftOut(std::string_view call) {
  static constexpr std::array<std::string_view, 14> kNames = {"cudaGetDevice",
                                                              "cudaSetDevice",
                                                              "cudaGetLastError",
                                                              "cudaPeekAtLastError",
                                                              "__cudaPushCallConfiguration",
                                                              "__cudaPopCallConfiguration",
                                                              "cudaDeviceGetAttribute",
                                                              "cudaStreamIsCapturing",
                                                              "cudaStreamGetCaptureInfo",
                                                              "cuCtxGetCurrent",
                                                              "cuCtxGetDevice",
                                                              "cuDevicePrimaryCtxGetState",
                                                              "cuDeviceGetAttribute",
                                                              "cuGetProcAddress"};
  // Questions about kernels and errors: with each launch, each below a microsecond.
  static constexpr std::array<std::string_view, 8> kBeginnings = {
      "cudaGetError",    "cudaOccupancy",        "cuGetError", "cuOccupancy",
      "cuKernelGetName", "cuKernelGetAttribute", "cuFuncGet",  "cuCtxGetLimit"};
  return std::find(kNames.begin(), kNames.end(), call) != kNames.end() ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(),
                     [call](std::string_view beginning) { return call.starts_with(beginning); });
}

void ActivityDecoder::Decode(const void* record, std::size_t bytes) {
  ++counts_.records;
  std::uint32_t kind = CUPTI_ACTIVITY_KIND_INVALID;
  if (bytes < sizeof kind) {
    ++counts_.cut;
    return;
  }
  std::memcpy(&kind, record, sizeof kind);
  const std::size_t least = LeastBytes(kind);
  if (least == 0 || bytes < least) {
    ++(least == 0 ? counts_.unknown : counts_.cut);
    return;
  }
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return Kernel(record);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return Memcpy(record);
    case CUPTI_ACTIVITY_KIND_MEMCPY2:
      return PeerMemcpy(record);
    case CUPTI_ACTIVITY_KIND_MEMSET:
      return Memset(record);
    case CUPTI_ACTIVITY_KIND_RUNTIME:
      return Call(record, CUPTI_CB_DOMAIN_RUNTIME_API, Intern("cuda_runtime"));
    case CUPTI_ACTIVITY_KIND_DRIVER:
      return Call(record, CUPTI_CB_DOMAIN_DRIVER_API, Intern("cuda_driver"));
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return Synchronisation(record);
    case CUPTI_ACTIVITY_KIND_OVERHEAD:
      return Overhead(record);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return Memory(record);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return Device(record);
    case CUPTI_ACTIVITY_KIND_CONTEXT: {
      const auto context = As<CUpti_ActivityContext>(record);
      device_of_context_[context.contextId] = context.deviceId;
      return;
    }
    case CUPTI_ACTIVITY_KIND_CUDA_EVENT:
      return Event(record);
    default:
      return;
  }
}

void ActivityDecoder::Kernel(const void* record) {
  const auto kernel = As<CUpti_ActivityKernel9>(record);
  const xsp_string details = Format(
      "grid=[%d,%d,%d]\nblock=[%d,%d,%d]\nregisters=%u\nstatic_shared_bytes=%d\n"
      "dynamic_shared_bytes=%d",
      kernel.gridX, kernel.gridY, kernel.gridZ, kernel.blockX, kernel.blockY, kernel.blockZ,
      static_cast<unsigned>(kernel.registersPerThread), kernel.staticSharedMemory,
      kernel.dynamicSharedMemory);
  AddWork({kernel.deviceId, kernel.contextId, kernel.streamId, kernel.start, kernel.end,
           kernel.correlationId, kernel.graphNodeId, XSP_NO_BYTES, details},
          KernelType(), KernelName(kernel.name));
}

void ActivityDecoder::Memcpy(const void* record) {
  const auto copy = As<CUpti_ActivityMemcpy5>(record);
  const CopyName named = NameOfCopy(copy.copyKind);
  AddWork({copy.deviceId, copy.contextId, copy.streamId, copy.start, copy.end, copy.correlationId,
           copy.graphNodeId, copy.bytes, Format("direction=%s", named.direction)},
          Intern("memcpy"),
          Format("Memcpy %s (%s -> %s)", named.name, MemoryName(copy.srcKind),
                 MemoryName(copy.dstKind)));
}

void ActivityDecoder::PeerMemcpy(const void* record) {
  const auto copy = As<CUpti_ActivityMemcpyPtoP4>(record);
  AddWork({copy.deviceId, copy.contextId, copy.streamId, copy.start, copy.end, copy.correlationId,
           copy.graphNodeId, copy.bytes,
           Format("direction=peer_to_peer\nfrom_device=%u\nto_device=%u", copy.srcDeviceId,
                  copy.dstDeviceId)},
          Intern("memcpy"),
          Format("Memcpy PtoP (%s -> %s)", MemoryName(copy.srcKind), MemoryName(copy.dstKind)));
}

void ActivityDecoder::Memset(const void* record) {
  const auto set = As<CUpti_ActivityMemset4>(record);
  AddWork({set.deviceId, set.contextId, set.streamId, set.start, set.end, set.correlationId,
           set.graphNodeId, set.bytes, 0},
          Intern("memset"), Format("Memset (%s)", MemoryName(set.memoryKind)));
}

void ActivityDecoder::Call(const void* record, CUpti_CallbackDomain domain, xsp_string type) {
  const auto call = As<CUpti_ActivityAPI>(record);
  launches_[call.correlationId % launches_.size()] = {call.correlationId, call.start};
  const xsp_string name = CallName(domain, call.cbid);
  if (name == 0) return;
  const xsp_string details = call.returnValue == 0 ? 0 : Format("returned=%u", call.returnValue);
  Place(
      Track(XSP_TRACK_THREAD, call.threadId),
      {.start = call.start, .end = call.end, .correlation = call.correlationId, .details = details},
      0, XSP_LEVEL_LIBRARY, type, name);
}

void ActivityDecoder::Synchronisation(const void* record) {
  const auto sync = As<CUpti_ActivitySynchronization>(record);
  const Wait wait = {sync.contextId,
                     sync.streamId,
                     sync.cudaEventId,
                     sync.correlationId,
                     NumberAt(record, offsetof(CUpti_ActivitySynchronization, type)),
                     round_,
                     sync.start,
                     sync.end};
  const bool has_event = wait.event != CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  if (!has_event && device_of_context_.contains(wait.context)) return PlaceWait(wait);
  waits_.push_back(wait);
}

void ActivityDecoder::Event(const void* record) {
  const auto event = As<CUpti_ActivityCudaEvent>(record);
  events_[{event.contextId, event.eventId}][event.correlationId] = {event.streamId, round_};
}

std::optional<std::uint32_t> ActivityDecoder::AwaitedStream(const Wait& wait) const {
  if (wait.event == CUPTI_SYNCHRONIZATION_INVALID_VALUE) return std::nullopt;
  const auto event = events_.find({wait.context, wait.event});
  if (event == events_.end()) return std::nullopt;
  const auto after = event->second.lower_bound(wait.correlation);
  if (after == event->second.begin()) return std::nullopt;
  return std::prev(after)->second.stream;
}

/// The wait's context is known.
void ActivityDecoder::PlaceWait(const Wait& wait) {
  const bool of_stream = wait.stream != CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  const std::optional<std::uint32_t> awaited = AwaitedStream(wait);
  const xsp_string details = awaited ? Format("awaited_stream=%u", *awaited) : 0;
  // Waiting is no launch: it carries no correlation id.
  Place(StreamTrack(device_of_context_.at(wait.context), wait.context,
                    of_stream ? std::int64_t{wait.stream} : -1),
        {.start = wait.start, .end = wait.end, .details = details}, 0, XSP_LEVEL_LIBRARY,
        Intern("synchronisation"), Intern(SynchronisationName(wait.type)));
}

void ActivityDecoder::Overhead(const void* record) {
  const auto overhead = As<CUpti_ActivityOverhead>(record);
  xsp_track track = 0;
  switch (NumberAt(record, offsetof(CUpti_ActivityOverhead, objectKind))) {
    case CUPTI_ACTIVITY_OBJECT_THREAD:
      track = Track(XSP_TRACK_THREAD, overhead.objectId.pt.threadId);
      break;
    case CUPTI_ACTIVITY_OBJECT_PROCESS:
      // No thread has that number: on a thread's own track it would nest in what the thread did.
      track = Track(XSP_TRACK_THREAD, 0);
      break;
    case CUPTI_ACTIVITY_OBJECT_DEVICE:
    case CUPTI_ACTIVITY_OBJECT_CONTEXT:
    case CUPTI_ACTIVITY_OBJECT_STREAM:
      track = Track(XSP_TRACK_DEVICE, overhead.objectId.dcs.deviceId);
      break;
    default:
      ++counts_.placeless;
      return;
  }
  Place(track, {.start = overhead.start, .end = overhead.end}, 0, XSP_LEVEL_LIBRARY,
        Intern("profiler_overhead"),
        Intern(OverheadName(NumberAt(record, offsetof(CUpti_ActivityOverhead, overheadKind)))));
}

void ActivityDecoder::Memory(const void* record) {
  const auto memory = As<CUpti_ActivityMemory3>(record);
  const std::uint32_t memory_kind = NumberAt(record, offsetof(CUpti_ActivityMemory3, memoryKind));
  const std::uint32_t operation =
      NumberAt(record, offsetof(CUpti_ActivityMemory3, memoryOperationType));
  if (memory_kind != CUPTI_ACTIVITY_MEMORY_KIND_DEVICE) return;
  double change = static_cast<double>(memory.bytes);
  if (operation == CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE) {
    change = -change;
  } else if (operation != CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION) {
    return;
  }
  const xsp_track track = Track(XSP_TRACK_DEVICE, memory.deviceId);
  const auto time_ns =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(memory.timestamp) + offset_ns_);
  double& total = allocated_bytes_[memory.deviceId] += change;
  // The driver's allocations: a framework's allocator takes them in large pieces.
  xsp_counter_on(track, Intern("driver_allocation_bytes"), time_ns, change, Intern("byte"));
  xsp_counter_on(track, Intern("driver_allocated_bytes"), time_ns, total, Intern("byte"));
}

void ActivityDecoder::Device(const void* record) {
  const auto device = As<CUpti_ActivityDevice4>(record);
  char key[64];
  const auto fact = [&](const char* what, std::string_view value) {
    const int length = std::snprintf(key, sizeof key, "cuda.device.%u.%s", device.id, what);
    xsp_attribute(0, Intern({key, static_cast<std::size_t>(length)}), value.data(), value.size());
  };
  fact("name", device.name == nullptr ? "" : device.name);
  fact("compute_capability", std::to_string(device.computeCapabilityMajor) + "." +
                                 std::to_string(device.computeCapabilityMinor));
  fact("multiprocessors", std::to_string(device.numMultiprocessors));
  fact("warpSize", std::to_string(device.numThreadsPerWarp));
  fact("maxThreadsPerMultiprocessor",
       std::to_string(device.maxWarpsPerMultiprocessor * device.numThreadsPerWarp));
  fact("regsPerMultiprocessor", std::to_string(device.maxRegistersPerMultiprocessor));
  fact("sharedMemPerMultiprocessor", std::to_string(device.maxSharedMemoryPerMultiprocessor));
  fact("memory_bytes", std::to_string(device.globalMemorySize));
}

void ActivityDecoder::AddWork(const Work& work, xsp_string type, xsp_string name) {
  device_of_context_.try_emplace(work.context, work.device);
  const std::uint64_t launched = LaunchOf(work.correlation);
  if (launched == 0 && waits_for_calls_ && work.correlation != 0) {
    pending_.push_back({work, type, name, round_});
  } else {
    PlaceWork(work, type, name, launched);
  }
}

void ActivityDecoder::Settle(bool all) {
  ++round_;
  std::size_t left = 0;
  for (const PendingWork& kept : pending_) {
    const std::uint64_t launched = LaunchOf(kept.work.correlation);
    if (launched != 0 || all || round_ - kept.round > kRoundsOfPatience) {
      PlaceWork(kept.work, kept.type, kept.name, launched);
    } else {
      pending_[left++] = kept;
    }
  }
  pending_.resize(left);
  SettleWaits(all);
  ForgetEvents();
}

/// A wait for an event is never placed early: what is known of the event may be of an older call,
/// and the one that is meant still come. One whose context stays unknown is so only at the end.
void ActivityDecoder::SettleWaits(bool all) {
  std::size_t left = 0;
  for (const Wait& wait : waits_) {
    const bool is_known = device_of_context_.contains(wait.context);
    const bool has_event = wait.event != CUPTI_SYNCHRONIZATION_INVALID_VALUE;
    if (is_known && (all || !has_event || round_ - wait.round > kRoundsOfPatience)) {
      PlaceWait(wait);
    } else if (all) {
      ++counts_.placeless;
    } else {
      waits_[left++] = wait;
    }
  }
  waits_.resize(left);
}

/// Of the calls that recorded an event long ago, the last one is enough.
void ActivityDecoder::ForgetEvents() {
  for (auto& [event, records] : events_) {
    while (records.size() > 1 &&
           round_ - std::next(records.begin())->second.round > kRoundsOfPatience + 1)
      records.erase(records.begin());
  }
}

std::uint64_t ActivityDecoder::LaunchOf(std::uint64_t correlation) const {
  const Launch& launch = launches_[correlation % launches_.size()];
  return launch.correlation == correlation ? launch.start : 0;
}

void ActivityDecoder::PlaceWork(const Work& work, xsp_string type, xsp_string name,
                                std::uint64_t launched) {
  Place(StreamTrack(work.device, work.context, work.stream), work, launched, XSP_LEVEL_KERNEL, type,
        name);
}

void ActivityDecoder::Place(xsp_track track, const Work& what, std::uint64_t decided,
                            xsp_level level, xsp_string type, xsp_string name) {
  // CUPTI: a time of 0 says that it could not be had.
  if (what.start == 0 || what.end == 0 || what.end < what.start) {
    ++counts_.untimed;
    return;
  }
  const auto ours = [this](std::uint64_t time) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(time) + offset_ns_);
  };
  xsp_placement placement = {};
  placement.size = sizeof placement;
  placement.details = what.details;
  placement.track = track;
  placement.correlation_id = what.correlation;
  placement.graph_node = what.graph_node;
  placement.bytes = what.bytes;
  placement.decided_ns = decided == 0 ? 0 : ours(decided);
  xsp_complete_on(&placement, level, type, name, ours(what.start), what.end - what.start);
}

xsp_track ActivityDecoder::Track(xsp_track_kind kind, std::uint32_t owner) {
  xsp_track& track = tracks_[{static_cast<int>(kind), owner}];
  if (track == 0) {
    const bool is_process = kind == XSP_TRACK_THREAD && owner == 0;
    track = xsp_make_track(kind, is_process ? Intern("CUPTI") : 0, owner, 0);
  }
  return track;
}

xsp_track ActivityDecoder::StreamTrack(std::uint32_t device, std::uint32_t context,
                                       std::int64_t stream) {
  const std::uint32_t first = first_context_.try_emplace(device, context).first->second;
  xsp_track& track = stream_tracks_[{device, context, stream}];
  if (track == 0) {
    const xsp_string name = context == first ? 0
                                             : Format("device %u context %u stream %lld", device,
                                                      context, static_cast<long long>(stream));
    track = xsp_make_track(XSP_TRACK_STREAM, name, device, stream);
  }
  return track;
}

xsp_string ActivityDecoder::KernelName(const char* mangled) {
  if (mangled == nullptr) return Intern("unknown kernel");
  const auto it = kernel_names_.find(std::string_view(mangled));
  if (it != kernel_names_.end()) return it->second;
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  const xsp_string name = Intern(status == 0 && demangled != nullptr ? demangled : mangled);
  std::free(demangled);
  return kernel_names_.emplace(mangled, name).first->second;
}

xsp_string ActivityDecoder::CallName(CUpti_CallbackDomain domain, CUpti_CallbackId id) {
  const auto [it, is_new] = calls_.try_emplace({static_cast<int>(domain), id}, CallId{0, false});
  if (is_new) {
    const std::string name = PlainName(callback_names_(domain, id));
    it->second.is_left_out = IsLeftOut(name);
    it->second.name = name.empty() ? Intern("unknown call") : Intern(name);
  }
  return it->second.is_left_out ? 0 : it->second.name;
}

}  // namespace xsp::record::cuda
