#include "record/cuda/session.h"

#include <cuda.h>
#include <dlfcn.h>
#include <signal.h>
#include <time.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <utility>

#include "record/cuda/kernel_metrics.h"
#include "record/process.h"
#include "record/switch_page.h"

namespace xsp::record::cuda {
namespace {

/// How long work may wait before it is in the recording: what kill -9 can cost.
constexpr int kFlushPeriodMs = 500;
/// How long the end of the process waits for what is not decoded yet.
constexpr auto kLongestEnd = std::chrono::seconds(20);

Session* the_session = nullptr;
/// In a forked child nothing of the session may be touched: its locks may be held for ever.
std::atomic<bool> is_active{false};
/// What keeps device work from being recorded, for who switches it (Switch). Under a lock.
std::mutex refusal_mutex;
std::string refusal = "the CUDA driver has not been initialised in this process";
/// Whether CUPTI records at the moment; as Session::Switch last had it.
bool is_enabled = true;

void SetRefusal(const std::string& what) {
  const std::lock_guard lock(refusal_mutex);
  refusal = what;
}

/// Keeps a problem that leaves nothing of CUDA in the recording.
void Refuse(std::string_view name, const std::string& what, std::string_view hint) {
  ReportProblem(name, what, hint);
  SetRefusal(what);
}

std::uint64_t MonotonicNs() {
  timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u +
         static_cast<std::uint64_t>(now.tv_nsec);
}

std::uint64_t CUPTIAPI ClockForCupti() { return MonotonicNs(); }

/// What to do about an error of CUPTI.
std::string_view HintFor(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return "Only administrators may profile this GPU. Load the driver's module with "
             "NVreg_RestrictProfilingToAdminUsers=0 (options nvidia in /etc/modprobe.d, then "
             "reboot), or run the program with CAP_SYS_ADMIN (driver 570 and later: CAP_PERFMON).";
    case CUPTI_ERROR_NOT_INITIALIZED:
      return "The driver did not come up for CUPTI, or is older than CUPTI: use the CUPTI of the "
             "driver's CUDA version (XSP_CUPTI_LIBRARY names one).";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "This GPU is cut into MIG slices that CUPTI cannot profile here: run on a whole GPU, "
             "or in the container that owns the slice.";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "There was no memory for profiling; leave more to it, or record fewer levels.";
    default:
      return "Nothing of that kind is in the recording; see docs/cuda.md.";
  }
}

constexpr std::array kActivities = {
    Activity{CUPTI_ACTIVITY_KIND_DEVICE, "devices", XSP_LEVEL_LIBRARY, false},
    Activity{CUPTI_ACTIVITY_KIND_CONTEXT, "contexts", XSP_LEVEL_LIBRARY, false},
    Activity{CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, "kernels", XSP_LEVEL_KERNEL, true},
    Activity{CUPTI_ACTIVITY_KIND_MEMCPY, "copies", XSP_LEVEL_KERNEL, true},
    Activity{CUPTI_ACTIVITY_KIND_MEMCPY2, "copies between devices", XSP_LEVEL_KERNEL, true},
    Activity{CUPTI_ACTIVITY_KIND_MEMSET, "sets of memory", XSP_LEVEL_KERNEL, true},
    Activity{CUPTI_ACTIVITY_KIND_RUNTIME, "runtime calls", XSP_LEVEL_LIBRARY, true},
    Activity{CUPTI_ACTIVITY_KIND_DRIVER, "driver calls", XSP_LEVEL_LIBRARY, true},
    Activity{CUPTI_ACTIVITY_KIND_SYNCHRONIZATION, "waits", XSP_LEVEL_LIBRARY, false},
    Activity{CUPTI_ACTIVITY_KIND_CUDA_EVENT, "events", XSP_LEVEL_LIBRARY, false},
    Activity{CUPTI_ACTIVITY_KIND_OVERHEAD, "CUPTI's own time", XSP_LEVEL_LIBRARY, false},
    Activity{CUPTI_ACTIVITY_KIND_MEMORY2, "memory", XSP_LEVEL_LIBRARY, false},
};

/// Whether recording may be held for a while (record/control.h, record/switch_page.h).
bool IsConfined() {
  return !Environment(kRangeVariable).empty() || !Environment(kSwitchVariable).empty();
}

void KeepFact(std::string_view key, std::string_view value) {
  xsp_attribute(0, Intern(key), value.data(), value.size());
}

}  // namespace

void Session::Start() {
  static std::atomic<bool> started{false};
  if (started.exchange(true)) return;
  constexpr std::uint32_t kOurs =
      XSP_LEVEL_BIT(XSP_LEVEL_LIBRARY) | XSP_LEVEL_BIT(XSP_LEVEL_KERNEL);
  if (!OpenRecording()) return SetRefusal("this process has no recording to put kernels into");
  if ((AskedLevels() & kOurs) == 0)
    return SetRefusal("neither library calls nor kernels are to be recorded: XSP_RECORD_LEVELS");
  // CUPTI 13.2 calls itself without end where there is no driver, and takes the program along.
  if (dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD) == nullptr &&
      dlopen("libcuda.so.1", RTLD_LAZY) == nullptr) {
    return Refuse("cuda_no_driver", "there is no CUDA driver here: nothing of CUDA is recorded",
                  "Install NVIDIA's driver, or run on a machine that has it.");
  }
  auto* session = new Session;  // For the life of the process: CUPTI's threads may outlive all.
  session->api_ = LoadCupti();
  const CuptiApi& api = session->api_;
  if (api.path.empty()) {
    return Refuse("cuda_no_cupti", "CUPTI was not found: nothing of CUDA is recorded",
                  "Name the library with XSP_CUPTI_LIBRARY=.../libcupti.so.13; it comes "
                  "with the CUDA toolkit and in the Python package nvidia-cuda-cupti.");
  }
  KeepFact("cuda.cupti.path", api.path);
  KeepFact("cuda.cupti.version", std::to_string(api.version));
  if (!api.missing.empty()) {
    return Refuse("cuda_cupti_unfit",
                  "CUPTI lacks a function, nothing of CUDA is recorded: " + api.missing,
                  "Use CUPTI of CUDA 12.0 to 13.");
  }
  if (api.version < kOldestVersion || api.version > kNewestVersion) {
    return Refuse(
        "cuda_cupti_unfit",
        "CUPTI is of a version whose records are not known, nothing of CUDA is recorded: " +
            std::to_string(api.version),
        "Use CUPTI of CUDA 12.0 to 13 (versions 19 to 28 and 130000 to 139999).");
  }
  // A run of its own: replay distorts what activity would tell.
  if (KernelMetrics::IsAsked()) {
    SetRefusal(
        "this process measures kernel metrics, in place of the times of kernels: unset "
        "XSP_RECORD_CUDA_METRICS for these");
    return KernelMetrics::Start(api);
  }
  the_session = session;
  if (!session->Attach()) return;
  is_active = true;
  pthread_atfork(nullptr, nullptr, AfterForkInChild);
  // The thread before the first record, so that no buffer waits for one that could not be started.
  if (!session->StartThread()) {
    is_active = false;
    return session->GiveUpSeat();
  }
  session->EnableActivities();
  session->EnableCallbacks();
  std::atexit(AtExit);
}

bool Session::Attach() {
  bool is_attached = false;
  if (SubscribeShared()) {
    SetClock();
    const CUptiResult result = TryShared();
    is_attached = result == CUPTI_SUCCESS;
    if (is_attached) {
      KeepFact("cuda.cupti.shared", "yes");
    } else {  // In beta: the seat for one alone may still do.
      GiveUpSeat();
      is_shared_ = false;
      KeepFact("cuda.cupti.shared", "no: " + api_.Text(result));
    }
  }
  if (!is_attached) {
    if (!SubscribeAlone()) return false;
    SetClock();
    const CUptiResult result = api_.ActivityRegisterCallbacks(RequestBuffer, CompleteBuffer);
    if (result != CUPTI_SUCCESS) {
      Refuse("cuda_subscribe_failed",
             "CUPTI takes no buffers, nothing of CUDA is recorded: " + api_.Text(result),
             HintFor(result));
      GiveUpSeat();
      return false;
    }
  }
  if (!numbers_threads_) {
    ReportProblem("cuda_thread_numbers",
                  "CUPTI does not tell threads by the system's numbers: calls and kernels are not "
                  "tied to layers",
                  "Use CUPTI of CUDA 12.0 or later.");
  }
  return true;
}

/// CUPTI has one seat, which the program's own profiler may want.
void Session::GiveUpSeat() {
  if (api_.Unsubscribe != nullptr) api_.Unsubscribe(subscriber_);
  subscriber_ = nullptr;
}

/// Whether a shared seat does what it was granted for. A refusal that holds for every seat, as of
/// permission, is not its fault.
CUptiResult Session::TryShared() {
  CUptiResult result =
      api_.ActivityRegisterCallbacks_v2(subscriber_, reinterpret_cast<void*>(&RequestBufferShared),
                                        reinterpret_cast<void*>(&CompleteBufferShared));
  if (result != CUPTI_SUCCESS) return result;
  result = Enable(CUPTI_ACTIVITY_KIND_RUNTIME);
  switch (result) {
    case CUPTI_SUCCESS:
      Disable(CUPTI_ACTIVITY_KIND_RUNTIME);  // The thread is not there yet.
      return result;
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return CUPTI_SUCCESS;
    default:
      return result;
  }
}

bool Session::SubscribeShared() {
#if CUPTI_API_VERSION < 130200
  return false;  // What it takes to set clock and thread numbers has no names in these headers.
#else
  if (api_.Subscribe_v2 == nullptr || api_.ActivityEnable_v2 == nullptr ||
      api_.ActivityRegisterCallbacks_v2 == nullptr || api_.ActivitySetAttribute_v2 == nullptr) {
    return false;
  }
  // CUpti_SubscriberParams, which headers of CUDA 12 do not have.
  struct Parameters {
    std::size_t size;
    const char* name;
    char* old_name;
    std::size_t old_name_size;
    std::uint8_t allow_others;
    std::uint8_t padding[7];
  };
  static_assert(sizeof(Parameters) == sizeof(CUpti_SubscriberParams) &&
                offsetof(Parameters, allow_others) ==
                    offsetof(CUpti_SubscriberParams, allowMultipleSubscribers));
  char other[128] = {};
  Parameters parameters = {sizeof parameters, "XSP", other, sizeof other, 1, {}};
  if (api_.Subscribe_v2(&subscriber_, Callback, this, &parameters) != CUPTI_SUCCESS) return false;
  is_shared_ = true;
  if (other[0] != '\0') KeepFact("cuda.cupti.shared_with", other);
  return true;
#endif
}

bool Session::SubscribeAlone() {
  const CUptiResult result = api_.Subscribe(&subscriber_, Callback, this);
  if (result == CUPTI_SUCCESS) return true;
  if (result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED) {
    Refuse("cuda_other_profiler",
           "another profiler holds CUPTI in this process, and CUPTI does not share it: "
           "nothing of CUDA is recorded",
           "Run without the other one (nsys, ncu, cuda-gdb, torch.profiler, a monitoring "
           "agent), or import what that one writes.");
  } else {
    Refuse("cuda_subscribe_failed",
           "CUPTI refused, nothing of CUDA is recorded: " + api_.Text(result), HintFor(result));
  }
  return false;
}

void Session::SetClock() {
  const auto clock = &ClockForCupti;
  bool numbered = false;
  if (is_shared_) {
#if CUPTI_API_VERSION >= 130200
    std::size_t size = sizeof clock;
    auto value = clock;
    own_clock_ = api_.ActivitySetAttribute_v2(subscriber_, CUPTI_ACTIVITY_ATTR_TIMESTAMP_CALLBACK,
                                              &size, &value) == CUPTI_SUCCESS;
    auto type = CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM;
    size = sizeof type;
    numbered = api_.ActivitySetAttribute_v2(subscriber_, CUPTI_ACTIVITY_ATTR_THREAD_ID_TYPE, &size,
                                            &type) == CUPTI_SUCCESS;
#endif
  } else {
    own_clock_ = api_.ActivityRegisterTimestampCallback != nullptr &&
                 api_.ActivityRegisterTimestampCallback(clock) == CUPTI_SUCCESS;
    numbered = api_.SetThreadIdType != nullptr &&
               api_.SetThreadIdType(CUPTI_ACTIVITY_THREAD_ID_TYPE_SYSTEM) == CUPTI_SUCCESS;
  }
  numbers_threads_ = numbered;
}

CUptiResult Session::Enable(CUpti_ActivityKind kind) {
  return is_shared_ ? api_.ActivityEnable_v2(subscriber_, kind, nullptr)
                    : api_.ActivityEnable(kind);
}

CUptiResult Session::Disable(CUpti_ActivityKind kind) {
  if (is_shared_) {
    return api_.ActivityDisable_v2 == nullptr ? CUPTI_ERROR_NOT_SUPPORTED
                                              : api_.ActivityDisable_v2(subscriber_, kind, nullptr);
  }
  return api_.ActivityDisable == nullptr ? CUPTI_ERROR_NOT_SUPPORTED : api_.ActivityDisable(kind);
}

bool Session::IsWanted(const Activity& activity) const {
  // Device work without the calls that launched it could be tied to nothing.
  // What was asked for, not what is in force: recording may be held until later.
  const unsigned levels = AskedLevels();
  return (levels & (XSP_LEVEL_BIT(XSP_LEVEL_KERNEL) | XSP_LEVEL_BIT(activity.level))) != 0;
}

void Session::EnableActivities() {
  const bool is_first = !std::exchange(has_enabled_, true);
  std::string refused;
  for (const Activity& activity : kActivities) {
    if (!IsWanted(activity)) continue;
    const CUptiResult result = Enable(activity.kind);
    if (result == CUPTI_SUCCESS || !activity.is_essential) continue;
    const std::string what =
        std::string("CUPTI does not record ") + activity.what + " here: " + api_.Text(result);
    if (refused.empty()) refused = what + ". " + std::string(HintFor(result));
    if (is_first) ReportProblem("cuda_activity_refused", what, HintFor(result));
  }
  LeaveOutCalls();
  const std::lock_guard lock(refusal_mutex);
  refusal = refused;
}

std::string Session::Switch(bool on) {
  static std::mutex switching;
  const std::lock_guard one(switching);
  if (is_active && on && !is_enabled) {
    the_session->EnableActivities();
    is_enabled = true;
  } else if (is_active && !on && is_enabled) {
    // What has finished belongs to the time before.
    the_session->Flush(false);
    for (const Activity& activity : kActivities) the_session->Disable(activity.kind);
    is_enabled = false;
  }
  const std::lock_guard lock(refusal_mutex);
  return on ? refusal : "";
}

/// Where CUPTI can leave calls out itself, they cost nothing.
void Session::LeaveOutCalls() {
  if (is_shared_ || api_.ActivityEnableRuntimeApi == nullptr) return;
  for (const CUpti_CallbackId id :
       {CUPTI_RUNTIME_TRACE_CBID_cudaGetDevice_v3020, CUPTI_RUNTIME_TRACE_CBID_cudaSetDevice_v3020,
        CUPTI_RUNTIME_TRACE_CBID_cudaGetLastError_v3020,
        CUPTI_RUNTIME_TRACE_CBID_cudaPeekAtLastError_v3020,
        CUPTI_RUNTIME_TRACE_CBID_cudaDeviceGetAttribute_v5000,
        CUPTI_RUNTIME_TRACE_CBID_cudaStreamIsCapturing_v10000}) {
    api_.ActivityEnableRuntimeApi(id, 0);
  }
}

void Session::EnableCallbacks() {
  if (api_.EnableCallback == nullptr) return;
  const auto enable = [this](CUpti_CallbackDomain domain, std::uint32_t id) {
    api_.EnableCallback(1, subscriber_, domain, id);
  };
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  enable(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_cudaProfilerStop_v4000);
  enable(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_cuProfilerStop);
  if (api_.GetGraphNodeId == nullptr) {
    return ReportProblem("cuda_no_graph_nodes",
                         "CUPTI does not number the nodes of graphs: kernels of replayed graphs "
                         "are tied to layers by their order, where that tells",
                         "Use CUPTI of CUDA 12.0 or later.");
  }
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING);
}

bool Session::StartThread() {
  // The program's signals are not for a thread that it does not know of.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread;
  const bool made = pthread_create(&thread, nullptr, ThreadMain, this) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!made) {
    Refuse("cuda_no_thread", "no thread could be started, nothing of CUDA is recorded",
           "Raise the limit of processes and threads (ulimit -u).");
    return false;
  }
  pthread_setname_np(thread, "xsp-cuda");
  pthread_detach(thread);
  return true;
}

void* Session::ThreadMain(void* session) {
  auto& self = *static_cast<Session*>(session);
  self.Work();
  const std::lock_guard lock(self.end_mutex_);
  self.has_ended_ = true;
  self.ended_.notify_all();
  return nullptr;
}

void Session::Work() {
  keep_ = std::make_unique<KeepWriter>(std::getenv("XSP_RECORD_CUDA_KEEP"), api_.version);
  decoder_ = std::make_unique<ActivityDecoder>(
      [this](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
        const char* name = nullptr;
        if (api_.GetCallbackName == nullptr ||
            api_.GetCallbackName(domain, id, &name) != CUPTI_SUCCESS)
          name = nullptr;
        const std::string text = name == nullptr ? "" : name;
        keep_->Callback(domain, id, text);
        return text;
      },
      IsConfined());
  auto next_flush = std::chrono::steady_clock::now();
  for (bool flushed_all = false;;) {
    const bool stopping = stopping_.load();
    if (stopping && !std::exchange(flushed_all, true)) Flush(true);
    const BufferPool::Filled filled = pool_.Next(stopping ? 0 : kFlushPeriodMs);
    if (filled.data != nullptr) {
      DecodeBuffer(filled);
      pool_.Return(filled.data);
    } else if (stopping) {
      break;
    }
    const auto now = std::chrono::steady_clock::now();
    if (!stopping && (now >= next_flush || flush_now_.exchange(false))) {
      decoder_->Settle(false);  // What the last flush brought has been decoded by now.
      Flush(false);
      ReportDrops();
      next_flush = now + std::chrono::milliseconds(kFlushPeriodMs);
    }
  }
  decoder_->Settle(true);
  ReportDrops();
  ReportCounts();
  keep_.reset();
}

void Session::DecodeBuffer(const BufferPool::Filled& filled) {
  if (!own_clock_) {
    const std::int64_t offset_ns = MeasureClockOffset();
    decoder_->SetClockOffset(offset_ns);
    keep_->Clock(offset_ns);
  }
  offsets_.clear();
  CUpti_Activity* record = nullptr;
  while (api_.ActivityGetNextRecord(filled.data, filled.bytes, &record) == CUPTI_SUCCESS) {
    const auto offset = reinterpret_cast<std::uint8_t*>(record) - filled.data;
    if (offset < 0 || static_cast<std::size_t>(offset) >= filled.bytes) break;
    offsets_.push_back(static_cast<std::uint32_t>(offset));
  }
  keep_->Buffer(filled.data, filled.bytes, offsets_);
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const std::size_t end = i + 1 < offsets_.size() ? offsets_[i + 1] : filled.bytes;
    decoder_->Decode(filled.data + offsets_[i], end - offsets_[i]);
  }
}

/// CUPTI's clock against ours, by the tightest of a few readings in a row.
std::int64_t Session::MeasureClockOffset() const {
  std::int64_t best_offset = 0;
  std::uint64_t best_width = UINT64_MAX;
  for (int i = 0; i < 8; ++i) {
    std::uint64_t cupti = 0;
    const std::uint64_t before = MonotonicNs();
    if (api_.GetTimestamp(&cupti) != CUPTI_SUCCESS) break;
    const std::uint64_t width = MonotonicNs() - before;
    if (width >= best_width) continue;
    best_width = width;
    best_offset = static_cast<std::int64_t>(before + width / 2) - static_cast<std::int64_t>(cupti);
  }
  return best_offset;
}

void Session::ReportDrops() {
  std::size_t dropped = 0;
  if (api_.ActivityGetNumDroppedRecords == nullptr ||
      api_.ActivityGetNumDroppedRecords(nullptr, 0, &dropped) != CUPTI_SUCCESS || dropped == 0) {
    return;
  }
  // Said at the first one, so that a killed process has said it.
  if (dropped_ == 0) {
    ReportProblem("cuda_dropped_records",
                  "CUPTI dropped records of device work and calls, because they came faster than "
                  "they were taken; how many by when is the counter cuda.dropped_records",
                  "Record fewer levels, or leave the program's machine a core to spare.");
  }
  dropped_ += dropped;
  xsp_counter(Intern("cuda.dropped_records"), static_cast<double>(dropped_), Intern("1"));
}

void Session::ReportCounts() {
  const DecoderCounts& counts = decoder_->counts();
  KeepFact("cuda.records", std::to_string(counts.records));
  const auto report = [](std::string_view name, std::uint64_t count, std::string_view what,
                         std::string_view hint) {
    if (count > 0) ReportProblem(name, std::string(what) + ": " + std::to_string(count), hint);
  };
  report("cuda_untimed", counts.untimed, "device work and calls without a time were left out",
         "They had not finished when the process ended, or the GPU was lost.");
  report("cuda_cut_records", counts.cut, "CUPTI's records were shorter than their kind",
         "Report it with CUPTI's version, which the recording names.");
  report("cuda_placeless", counts.placeless,
         "waits in contexts that are not known, and time of CUPTI's own on nothing, were left out",
         "They are missing in the critical path only.");
}

void Session::Flush(bool forced) {
  api_.ActivityFlushAll(forced ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
}

void Session::Stop() {
  if (stopping_.exchange(true)) return;
  // The last flush is the thread's, too: one that blocks must not keep the process from ending.
  pool_.Wake();
  std::unique_lock lock(end_mutex_);
  if (!ended_.wait_for(lock, kLongestEnd, [this] { return has_ended_; })) {
    ReportProblem("cuda_end_too_slow", "the process ended before all device work was recorded",
                  "Work of the last moments is missing.");
  }
}

void Session::AtExit() {
  if (!is_active) return;
  the_session->Stop();  // Buffers are handed out until the last flush is over.
  is_active = false;
}

void Session::AfterForkInChild() { is_active = false; }

void CUPTIAPI Session::Callback(void* session, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data) {
  if (is_active) static_cast<Session*>(session)->OnCallback(domain, id, data);
}

void Session::OnCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  if (domain == CUPTI_CB_DOMAIN_RESOURCE) return OnResource(id, data);
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  // cudaProfilerStop: the program says that what it wanted to see is over.
  if (call.callbackSite != CUPTI_API_EXIT) return;
  flush_now_ = true;
  pool_.Wake();
}

void Session::OnResource(CUpti_CallbackId id, const void* data) {
  const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
  if (id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
    flush_now_ = true;
    pool_.Wake();
    return;
  }
  const auto* graph = static_cast<const CUpti_GraphData*>(resource.resourceDescriptor);
  std::uint64_t node = 0, original = 0;
  if (graph == nullptr || api_.GetGraphNodeId(graph->node, &node) != CUPTI_SUCCESS) return;
  if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
    captures_.Created(node);
  } else if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING) {
    captures_.Destroyed(node);
  } else if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED &&
             api_.GetGraphNodeId(graph->originalNode, &original) == CUPTI_SUCCESS) {
    captures_.Cloned(node, original);
  }
}

void CUPTIAPI Session::RequestBuffer(std::uint8_t** buffer, std::size_t* size,
                                     std::size_t* most_records) {
  *buffer = is_active ? the_session->pool_.Take() : nullptr;
  *size = *buffer == nullptr ? 0 : BufferPool::kBufferBytes;
  *most_records = 0;
}

void CUPTIAPI Session::CompleteBuffer(CUcontext, std::uint32_t, std::uint8_t* buffer, std::size_t,
                                      std::size_t valid) {
  // In a forked child the pool's lock may be held for ever.
  if (buffer != nullptr && is_active) the_session->pool_.Fill(buffer, valid);
}

void CUPTIAPI Session::RequestBufferShared(std::uint8_t** buffer, std::size_t* size,
                                           std::size_t* most_records, void*) {
  RequestBuffer(buffer, size, most_records);
}

void CUPTIAPI Session::CompleteBufferShared(std::uint8_t* buffer, std::size_t size,
                                            std::size_t valid, void*) {
  CompleteBuffer(nullptr, 0, buffer, size, valid);
}

}  // namespace xsp::record::cuda
