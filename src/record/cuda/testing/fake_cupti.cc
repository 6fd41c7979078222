// A libcupti for tests: the functions that the library calls, over records that a test program asks
// for (fake_cupti.h). It fills the real structures of CUPTI's headers; it measures nothing.
#include "record/cuda/testing/fake_cupti.h"

#include <cuda.h>
#include <cupti.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <mutex>
#include <string_view>

namespace {

std::mutex mutex;
CUpti_CallbackFunc callback;
void* callback_data;
CUpti_BuffersCallbackRequestFunc request;
CUpti_BuffersCallbackCompleteFunc complete;
CUpti_BuffersCallbackRequestFunc_v2 request_shared;
CUpti_BuffersCallbackCompleteFunc_v2 complete_shared;
CUpti_TimestampCallbackFunc clock_of_client;
bool system_threads = false, graph_callbacks = false;
bool enabled[64];
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
constexpr uint32_t kVersion = 24;
#else
using Kernel = CUpti_ActivityKernel11;
using Copy = CUpti_ActivityMemcpy6;
constexpr uint32_t kVersion = CUPTI_API_VERSION;
#endif

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
  if (!enabled[record.kind]) return;
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
    default:
      return sizeof(CUpti_ActivityAPI);
  }
}

void Call(uint32_t id, uint32_t correlation, uint64_t start_ns, uint64_t end_ns) {
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

void Node(CUpti_CallbackId id, uint64_t node, uint64_t original) {
  if (callback == nullptr || !graph_callbacks) return;
  CUpti_GraphData graph = {};
  graph.node = reinterpret_cast<CUgraphNode>(node);
  graph.originalNode = reinterpret_cast<CUgraphNode>(original);
  CUpti_ResourceData resource = {};
  resource.resourceDescriptor = &graph;
  callback(callback_data, CUPTI_CB_DOMAIN_RESOURCE, id, &resource);
}

}  // namespace

// For fake_profiler.cc: what the subscriber is told.
void FakeCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (callback != nullptr) callback(callback_data, domain, id, data);
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
      Allocated};
  return &driver;
}

EXPORT CUptiResult cuptiGetVersion(uint32_t* version) {
  *version = Mode("old") ? 17 : Mode("future") ? 140000 : kVersion;
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
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  *time =
      Time(static_cast<uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<uint64_t>(now.tv_nsec));
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiGetGraphNodeId(CUgraphNode node, uint64_t* id) {
  *id = reinterpret_cast<uint64_t>(node);
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiSetThreadIdType(CUpti_ActivityThreadIdType type) {
  system_threads = type == CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiSubscribe(CUpti_SubscriberHandle*, CUpti_CallbackFunc function,
                                  void* data) {
  if (Mode("other_profiler")) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  if (Mode("old_driver")) return CUPTI_ERROR_NOT_INITIALIZED;
  if (callback != nullptr) return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  callback = function;
  callback_data = data;
  return CUPTI_SUCCESS;
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
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED)
    graph_callbacks = enable != 0;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityEnable(CUpti_ActivityKind kind) {
  if (kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL && Mode("no_permission"))
    return CUPTI_ERROR_INSUFFICIENT_PRIVILEGES;
  if (Mode("no_memory")) return CUPTI_ERROR_OUT_OF_MEMORY;
  enabled[kind] = true;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityDisable(CUpti_ActivityKind kind) {
  enabled[kind] = false;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityRegisterCallbacks(CUpti_BuffersCallbackRequestFunc requested,
                                                  CUpti_BuffersCallbackCompleteFunc completed) {
  request = requested;
  complete = completed;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityRegisterTimestampCallback(CUpti_TimestampCallbackFunc function) {
  if (Mode("no_clock")) return CUPTI_ERROR_NOT_SUPPORTED;
  clock_of_client = function;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityGetNextRecord(uint8_t* data, size_t bytes,
                                              CUpti_Activity** record) {
  uint8_t* next = data;
  if (*record != nullptr) {
    CUpti_ActivityKind kind;
    memcpy(&kind, *record, sizeof kind);
    next = reinterpret_cast<uint8_t*>(*record) + SizeOf(kind);
  }
  if (next >= data + bytes) return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = reinterpret_cast<CUpti_Activity*>(next);
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityGetNumDroppedRecords(CUcontext, uint32_t, size_t* count) {
  const std::lock_guard lock(mutex);
  *count = dropped;
  dropped = 0;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivityFlushAll(uint32_t flag) {
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
EXPORT CUptiResult cuptiSubscribe_v2(CUpti_SubscriberHandle* handle, CUpti_CallbackFunc function,
                                     void* data, CUpti_SubscriberParams* parameters) {
  if (parameters->structSize != sizeof *parameters || parameters->allowMultipleSubscribers != 1)
    return CUPTI_ERROR_INVALID_PARAMETER;
  return cuptiSubscribe(handle, function, data);
}
EXPORT CUptiResult cuptiActivityEnable_v2(CUpti_SubscriberHandle, CUpti_ActivityKind kind,
                                          CUpti_ActivityConfig*) {
  return cuptiActivityEnable(kind);
}
EXPORT CUptiResult cuptiActivityDisable_v2(CUpti_SubscriberHandle, CUpti_ActivityKind kind,
                                           CUpti_ActivityConfig*) {
  return cuptiActivityDisable(kind);
}
EXPORT CUptiResult cuptiActivityRegisterCallbacks_v2(
    CUpti_SubscriberHandle, CUpti_BuffersCallbackRequestFunc_v2 requested,
    CUpti_BuffersCallbackCompleteFunc_v2 completed) {
  if (Mode("beta_fails")) return CUPTI_ERROR_NOT_SUPPORTED;
  request_shared = requested;
  complete_shared = completed;
  return CUPTI_SUCCESS;
}
EXPORT CUptiResult cuptiActivitySetAttribute_v2(CUpti_SubscriberHandle,
                                                CUpti_ActivityAttribute attribute, size_t*,
                                                void* value) {
  if (attribute == CUPTI_ACTIVITY_ATTR_TIMESTAMP_CALLBACK)
    return cuptiActivityRegisterTimestampCallback(
        *static_cast<CUpti_TimestampCallbackFunc*>(value));
  if (attribute == CUPTI_ACTIVITY_ATTR_THREAD_ID_TYPE)
    return cuptiSetThreadIdType(*static_cast<CUpti_ActivityThreadIdType*>(value));
  return CUPTI_ERROR_INVALID_PARAMETER;
}
#endif
