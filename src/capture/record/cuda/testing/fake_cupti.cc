// A libcupti for tests: the functions that the library calls, over records that a test program asks
// for (fake_cupti.h). It fills the real structures of CUPTI's headers; it measures nothing.
#include "capture/record/cuda/testing/fake_cupti.h"

#include <cuda.h>
#include <cupti.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <string_view>

void FakeCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);

namespace {

std::mutex mutex;
CUpti_CallbackFunc callback;
void* callback_data;
CUpti_BuffersCallbackRequestFunc request;
CUpti_BuffersCallbackCompleteFunc complete;
CUpti_BuffersCallbackRequestFunc_v2 request_shared;
CUpti_BuffersCallbackCompleteFunc_v2 complete_shared;
CUpti_TimestampCallbackFunc clock_of_client;
bool system_threads = false;
bool enabled[64];
bool left_out[CUPTI_CB_DOMAIN_SIZE][4096];  // By cuptiActivityEnableRuntimeApi.
bool told[CUPTI_CB_DOMAIN_SIZE][4096];      // What cuptiEnableCallback has asked for.
bool all_sync_records = true;               // Until a test sets it.
[[maybe_unused]] bool is_shared = false;
bool is_shut_down = false;
std::atomic<uint64_t> flushes{0};
enum class Family { kNone, kUnnamed, kNamed } family = Family::kNone;
uint8_t* buffer;
size_t capacity, used, dropped;
constexpr uint64_t kOwnClockNs = 1'234'567'890'123;  // What CUPTI's own clock is ahead of ours.

bool Mode(std::string_view mode) {
  static const char* const asked = getenv("FAKE_CUPTI");
  return asked != nullptr && mode == asked;
}

#ifdef FAKE_CUDA_12
using Kernel = CUpti_ActivityKernel9;
using Copy = CUpti_ActivityMemcpy5;
using Wait = CUpti_ActivitySynchronization;
constexpr uint32_t kVersion = 26;
#else
using Kernel = CUpti_ActivityKernel11;
using Copy = CUpti_ActivityMemcpy6;
using Wait = CUpti_ActivitySynchronization2;
constexpr uint32_t kVersion = 130300;  // Of the first that shares; layouts are those of 13.2.
#endif

/// What a call of a family that is not the process's own gets.
bool IsOf(Family asked) {
  if (family == Family::kNone) family = asked;
  return family == asked;
}
#define OF_FAMILY(asked) \
  if (!IsOf(asked)) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED

uint64_t Time(uint64_t monotonic_ns) {
  return clock_of_client != nullptr ? monotonic_ns : monotonic_ns + kOwnClockNs;
}

// Under the mutex but for the client's callbacks, as CUPTI calls them from any thread.
void Deliver(std::unique_lock<std::mutex>& lock) {
  if (buffer == nullptr) return;
  uint8_t* full = buffer;
  const size_t bytes = used;
  buffer = nullptr;
  lock.unlock();
  CUpti_BufferCallbackCompleteInfo info = {};
  info.structSize = sizeof info;
  if (complete_shared != nullptr) {
    complete_shared(full, capacity, bytes, &info);
  } else {
    complete(nullptr, 0, full, capacity, bytes);
  }
  lock.lock();
}

template <typename Record>
void Emit(const Record& record) {
  if (!enabled[record.kind] || is_shut_down) return;
  std::unique_lock lock(mutex);
  if (buffer != nullptr && used + sizeof record > capacity) Deliver(lock);
  if (buffer == nullptr) {
    uint8_t* made = nullptr;
    size_t size = 0, most = 0;
    CUpti_BufferCallbackRequestInfo info = {sizeof info};
    lock.unlock();
    if (request_shared != nullptr) {
      request_shared(&made, &size, &most, &info);
    } else {
      request(&made, &size, &most);
    }
    lock.lock();
    buffer = made;
    capacity = size;
    used = 0;
  }
  if (buffer == nullptr || Mode("drops")) {
    ++dropped;
    return;
  }
  memcpy(buffer + used, &record, sizeof record);
  used += sizeof record;
}

size_t SizeOf(CUpti_ActivityKind kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return sizeof(Kernel);
    case CUPTI_ACTIVITY_KIND_MEMCPY:
      return sizeof(Copy);
    case CUPTI_ACTIVITY_KIND_MEMORY2:
      return sizeof(CUpti_ActivityMemory4);
    case CUPTI_ACTIVITY_KIND_SYNCHRONIZATION:
      return sizeof(Wait);
    case CUPTI_ACTIVITY_KIND_CONTEXT:
      return sizeof(CUpti_ActivityContext);
    default:
      return sizeof(CUpti_ActivityAPI);
  }
}

void Call(uint32_t id, uint32_t correlation, uint64_t start_ns, uint64_t end_ns) {
  if (left_out[CUPTI_CB_DOMAIN_RUNTIME_API][id]) return;
  CUpti_ActivityAPI call = {};
  call.kind = CUPTI_ACTIVITY_KIND_RUNTIME;
  call.cbid = id;
  call.start = Time(start_ns);
  call.end = Time(end_ns);
  call.processId = static_cast<uint32_t>(getpid());
  call.threadId = system_threads ? static_cast<uint32_t>(syscall(SYS_gettid)) : 1;
  call.correlationId = correlation;
  Emit(call);
}

void Launch(const char* name, uint32_t stream, uint32_t correlation, uint64_t graph_node,
            uint64_t start_ns, uint64_t end_ns) {
  Kernel kernel = {};
  kernel.kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
  kernel.registersPerThread = 40;
  kernel.start = Mode("gpu_lost") ? 0 : Time(start_ns);
  kernel.end = Mode("gpu_lost") ? 0 : Time(end_ns);
  kernel.contextId = 1;
  kernel.streamId = stream;
  kernel.gridX = 8;
  kernel.gridY = kernel.gridZ = kernel.blockY = kernel.blockZ = 1;
  kernel.blockX = 128;
  kernel.staticSharedMemory = 1024;
  kernel.correlationId = correlation;
  kernel.name = name;
  kernel.graphNodeId = graph_node;
  Emit(kernel);
}

void Copied(uint64_t bytes, uint32_t correlation, uint64_t start_ns, uint64_t end_ns) {
  Copy copy = {};
  copy.kind = CUPTI_ACTIVITY_KIND_MEMCPY;
  copy.copyKind = CUPTI_ACTIVITY_MEMCPY_KIND_HTOD;
  copy.srcKind = CUPTI_ACTIVITY_MEMORY_KIND_PINNED;
  copy.dstKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  copy.bytes = bytes;
  copy.start = Time(start_ns);
  copy.end = Time(end_ns);
  copy.contextId = 1;
  copy.streamId = 7;
  copy.correlationId = correlation;
  Emit(copy);
}

void Allocated(uint64_t bytes, uint64_t time_ns) {
  CUpti_ActivityMemory4 memory = {};
  memory.kind = CUPTI_ACTIVITY_KIND_MEMORY2;
  memory.memoryOperationType = CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION;
  memory.memoryKind = CUPTI_ACTIVITY_MEMORY_KIND_DEVICE;
  memory.bytes = bytes;
  memory.timestamp = Time(time_ns);
  Emit(memory);
}

void ContextKnown() {
  CUpti_ActivityContext context = {};
  context.kind = CUPTI_ACTIVITY_KIND_CONTEXT;
  context.contextId = 1;
  Emit(context);
}

void StreamQueried(bool ready, uint64_t start_ns, uint64_t end_ns) {
  if (!ready && !all_sync_records) return;
  Wait wait = {};
  wait.kind = CUPTI_ACTIVITY_KIND_SYNCHRONIZATION;
  wait.type = CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE;
  wait.start = Time(start_ns);
  wait.end = Time(end_ns);
  wait.contextId = 1;
  wait.streamId = 7;
  wait.cudaEventId = CUPTI_SYNCHRONIZATION_INVALID_VALUE;
  Emit(wait);
}

void Node(CUpti_CallbackId id, uint64_t node, uint64_t original) {
  CUpti_GraphData graph = {};
  graph.node = reinterpret_cast<CUgraphNode>(node);
  graph.originalNode = reinterpret_cast<CUgraphNode>(original);
  CUpti_ResourceData resource = {};
  resource.resourceDescriptor = &graph;
  FakeCallback(CUPTI_CB_DOMAIN_RESOURCE, id, &resource);
}

void ApiCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, CUpti_ApiCallbackSite site) {
  CUresult result = CUDA_SUCCESS;
  CUpti_CallbackData call = {};
  call.callbackSite = site;
  call.functionReturnValue = &result;
  FakeCallback(domain, id, &call);
}

void ContextEnds() {
  const auto id = CUPTI_DRIVER_TRACE_CBID_cuCtxDestroy_v2;
  ApiCall(CUPTI_CB_DOMAIN_DRIVER_API, id, CUPTI_API_ENTER);
  {
    const std::lock_guard lock(mutex);
    buffer = nullptr;
  }
  CUpti_ResourceData resource = {};
  FakeCallback(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING, &resource);
  ApiCall(CUPTI_CB_DOMAIN_DRIVER_API, id, CUPTI_API_EXIT);
}

void FatalError() {
  CUpti_StateData state = {};
  state.notification.result = CUPTI_ERROR_OUT_OF_MEMORY;
  state.notification.message = "it is the tests'";
  FakeCallback(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR, &state);
  is_shut_down = true;
}

CUptiResult Subscribe(CUpti_CallbackFunc function, void* data) {
  if (Mode("other_profiler")) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  if (Mode("old_driver")) return CUPTI_ERROR_NOT_INITIALIZED;
  if (callback != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  callback = function;
  callback_data = data;
  return CUPTI_SUCCESS;
}

CUptiResult Enable(CUpti_ActivityKind kind) {
  if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && Mode("no_permission"))
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  if (Mode("no_memory")) return CUPTI_ERROR_OUT_OF_MEMORY;
  enabled[kind] = true;
  return CUPTI_SUCCESS;
}

CUptiResult SetClock(CUpti_TimestampCallbackFunc function) {
  if (Mode("no_clock")) return CUPTI_ERROR_NOT_SUPPORTED;
  clock_of_client = function;
  return CUPTI_SUCCESS;
}

CUptiResult Timestamp(uint64_t* time) {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  *time =
      Time(static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec));
  return CUPTI_SUCCESS;
}

CUptiResult NextRecord(uint8_t* data, size_t bytes, CUpti_Activity** record) {
  uint8_t* next = data;
  if (*record != nullptr) {
    CUpti_ActivityKind kind;
    memcpy(&kind, *record, sizeof kind);
    next = reinterpret_cast<uint8_t*>(*record) + SizeOf(kind);
  }
  if (next >= data + bytes)
    return Mode("unreadable") ? CUPTI_ERROR_INVALID_KIND : CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}

CUptiResult DroppedRecords(size_t* count) {
  const std::lock_guard lock(mutex);
  *count = dropped;
  dropped = 0;
  return CUPTI_SUCCESS;
}

}  // namespace

// Also for fake_profiler.cc: what the subscriber receives.
void FakeCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (callback != nullptr && told[domain][id]) callback(callback_data, domain, id, data);
}

#define EXPORT extern "C" __attribute__((visibility("default")))

EXPORT const FakeDriver* fake_driver() {
  static const FakeDriver driver = {
      Call,
      Launch,
      Copied,
      [](uint64_t node) { Node(CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, node, 0); },
      [](uint64_t node, uint64_t original) {
        Node(CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED, node, original);
      },
      Allocated,
      [](bool begins) {
        ApiCall(CUPTI_CB_DOMAIN_RUNTIME_API,
                CUPTI_RUNTIME_TRACE_CBID_cudaGraphInstantiateWithFlags_v11040,
                begins ? CUPTI_API_ENTER : CUPTI_API_EXIT);
      },
      ContextKnown,
      StreamQueried,
      ContextEnds,
      FatalError,
      [] { return flushes.load(); },
      [](uint32_t id) { return left_out[CUPTI_CB_DOMAIN_RUNTIME_API][id]; }};
  return &driver;
}

EXPORT CUptiResult cuptiGetVersion(uint32_t* version) {
  *version = Mode("old") ? 17 : Mode("future") ? 140000 : Mode("cuda_13_2") ? 130200 : kVersion;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiGetResultString(CUptiResult result, const char** text) {
  *text = result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
          : result == CUPTI_ERROR_NOT_INITIALIZED       ? "CUPTI_ERROR_NOT_INITIALIZED"
          : result == CUPTI_ERROR_OUT_OF_MEMORY         ? "CUPTI_ERROR_OUT_OF_MEMORY"
          : result == CUPTI_ERROR_NOT_SUPPORTED         ? "CUPTI_ERROR_NOT_SUPPORTED"
                                                        : "CUPTI_ERROR_UNKNOWN";
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiGetCallbackName(CUpti_CallbackDomain, uint32_t id, const char** name) {
  *name = id == CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000   ? "cudaLaunchKernel_v7000"
          : id == CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000 ? "cudaGraphLaunch_v10000"
          : id == CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020    ? "cudaGetDevice_v3020"
                                                                  : "cudaMemcpyAsync_v3020";
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiGetTimestamp(uint64_t* time) {
  OF_FAMILY(Family::kUnnamed);
  return Timestamp(time);
}
EXPORT CUptiResult cuptiGetGraphNodeId(CUgraphNode node, uint64_t* id) {
  *id = reinterpret_cast<uint64_t>(node);
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  OF_FAMILY(Family::kUnnamed);
  system_threads = type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc function,
                                  void* data) {
  OF_FAMILY(Family::kUnnamed);
  return Subscribe(function, data);
}
EXPORT CUptiResult cuptiUnsubscribe(CUpti_SubscriberHandle) {
  callback = nullptr;
  request_shared = nullptr;
  complete_shared = nullptr;
  clock_of_client = nullptr;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiEnableCallback(uint32_t enable, CUpti_SubscriberHandle,
                                       CUpti_CallbackDomain domain, uint32_t id) {
  told[domain][id] = enable != 0;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  OF_FAMILY(Family::kUnnamed);
  return Enable(kind);
}
EXPORT CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  OF_FAMILY(Family::kUnnamed);
  enabled[kind] = false;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                                  CUpti_BuffersCallbackCompleteFunc completed) {
  OF_FAMILY(Family::kUnnamed);
  request = requested;
  complete = completed;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc function) {
  OF_FAMILY(Family::kUnnamed);
  return SetClock(function);
}
EXPORT CUptiResult cuptiActivityEnableRuntimeApi(CUpti_CallbackId id, uint8_t enable) {
  OF_FAMILY(Family::kUnnamed);
  left_out[CUPTI_CB_DOMAIN_RUNTIME_API][id] = enable == 0;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityEnableAllSyncRecords(uint8_t enable) {
  OF_FAMILY(Family::kUnnamed);
  all_sync_records = enable != 0;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityGetNextRecord(uint8_t* data, size_t bytes,
                                              CUpti_Activity** record) {
  OF_FAMILY(Family::kUnnamed);
  return NextRecord(data, bytes, record);
}
EXPORT CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* count) {
  OF_FAMILY(Family::kUnnamed);
  return DroppedRecords(count);
}
EXPORT CUptiResult cuptiActivityFlushAll(uint32_t flag) {
  ++flushes;
  if (Mode("no_flush")) return CUPTI_ERROR_UNKNOWN;
  if (is_shut_down) abort();  // It would be started again.
  // Work whose times come only now needs a buffer of its own.
  if (flag == CUPTI_ACTIVITY_FLAG_FLUSH_FORCED && Mode("late")) {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const uint64_t now_ns =
        static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec);
    Launch("late_kernel", 7, 4'000'000, 0, now_ns - 2000, now_ns - 1000);
  }
  std::unique_lock lock(mutex);
  Deliver(lock);
  return CUPTI_SUCCESS;
}

#ifndef FAKE_CUDA_12
EXPORT CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle*, CUpti_CallbackFunc function,
                                     void* data, CUpti_SubscriberParams* parameters) {
  OF_FAMILY(Family::kNamed);
  if (parameters->structSize != sizeof *parameters) return CUPTI_ERROR_INVALID_PARAMETER;
  is_shared = parameters->allowMultipleSubscribers == 1;
  if (Mode("other_profiler")) strcpy(parameters->oldSubscriberName, "CUPTI for the tests");
  if (is_shared && (Mode("cuda_13_2") || Mode("driver_13_2"))) return CUPTI_ERROR_UNKNOWN;
  return Subscribe(function, data);
}
EXPORT CUptiResult cuptiActivityEnable_v2(CUpti_SubscriberHandle, CUpti_ActivityKind kind,
                                          CUpti_ActivityConfig*) {
  OF_FAMILY(Family::kNamed);
  return Enable(kind);
}
EXPORT CUptiResult cuptiActivityDisable_v2(CUpti_SubscriberHandle, CUpti_ActivityKind kind,
                                           CUpti_ActivityConfig*) {
  OF_FAMILY(Family::kNamed);
  enabled[kind] = false;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityRegisterCallbacks_v2(
    CUpti_SubscriberHandle, CUpti_BuffersCallbackRequestFunc_v2 requested,
    CUpti_BuffersCallbackCompleteFunc_v2 completed) {
  OF_FAMILY(Family::kNamed);
  if (is_shared && Mode("beta_fails")) return CUPTI_ERROR_NOT_SUPPORTED;
  request_shared = requested;
  complete_shared = completed;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivitySetAttribute_v2(CUpti_SubscriberHandle,
                                                CUpti_ActivityAttribute attribute, size_t*,
                                                void* value) {
  OF_FAMILY(Family::kNamed);
  switch (attribute) {
    case CUPTI_ACTIVITY_ATTR_TIMESTAMP_CALLBACK:
      return SetClock(*static_cast<CUpti_TimestampCallbackFunc*>(value));
    case CUPTI_ACTIVITY_ATTR_THREAD_ID_TYPE:
      system_threads =
          *static_cast<CUpti_ActivityThreadIdType*>(value) == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
      return CUPTI_SUCCESS;
    case CUPTI_ACTIVITY_ATTR_ENABLE_ALL_SYNC_RECORDS:
      all_sync_records = *static_cast<uint8_t*>(value) != 0;
      return CUPTI_SUCCESS;
    default:
      return CUPTI_ERROR_INVALID_PARAMETER;
  }
}
// Of CUDA 13.3: these headers do not have them.
EXPORT CUptiResult cuptiActivityEnableRuntimeApi_v2(CUpti_SubscriberHandle, CUpti_CallbackId id,
                                                    uint8_t enable) {
  OF_FAMILY(Family::kNamed);
  left_out[CUPTI_CB_DOMAIN_RUNTIME_API][id] = enable == 0;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiGetTimestamp_v2(CUpti_SubscriberHandle, uint64_t* time) {
  OF_FAMILY(Family::kNamed);
  return Timestamp(time);
}
EXPORT CUptiResult cuptiActivityGetNumDroppedRecords_v2(CUpti_SubscriberHandle, CUcontext, uint32_t,
                                                        size_t* count) {
  OF_FAMILY(Family::kNamed);
  return DroppedRecords(count);
}
EXPORT CUptiResult cuptiActivityGetNextRecord_v2(CUpti_SubscriberHandle, uint8_t* data,
                                                 size_t bytes, CUpti_Activity** record) {
  OF_FAMILY(Family::kNamed);
  return NextRecord(data, bytes, record);
}
#endif
