#include "capture/record/cuda/session.h"

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

#include "capture/record/cuda/metrics/kernel_metrics.h"
#include "capture/record/process.h"
#include "capture/record/switch_page.h"

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

/// Whether recording may be held for a while (capture/record/control.h,
/// capture/record/switch_page.h).
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
  // For the life of the process: CUPTI's threads may outlive all.
  auto* session = new Session(LoadCupti());
  const CuptiApi& api = session->api();
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
    return session->subscription_.GiveUp();
  }
  session->EnableActivities();
  session->EnableCallbacks();
  std::atexit(AtExit);
}

bool Session::Attach() {
  const SubscriptionProblem problem =
      subscription_.Take({.on_event = Callback,
                          .user = this,
                          .request = RequestBuffer,
                          .complete = CompleteBuffer,
                          .request_v2 = reinterpret_cast<void*>(&RequestBufferNamed),
                          .complete_v2 = reinterpret_cast<void*>(&CompleteBufferNamed),
                          .clock = ClockForCupti});
  if (!problem.name.empty()) {
    Refuse(problem.name, problem.what, problem.hint);
    return false;
  }
  if (!subscription_.numbers_threads()) {
    ReportProblem("cuda_thread_numbers",
                  "CUPTI does not tell threads by the system's numbers: calls and kernels are not "
                  "tied to layers",
                  "Use CUPTI of CUDA 12.0 or later.");
  }
  return true;
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
  subscription_.LeaveOutVainQueries();
  for (const Activity& activity : kActivities) {
    if (!IsWanted(activity)) continue;
    const CUptiResult result = subscription_.Enable(activity.kind);
    if (result == CUPTI_SUCCESS || !activity.is_essential) continue;
    const std::string what =
        std::string("CUPTI does not record ") + activity.what + " here: " + api().Text(result);
    if (refused.empty()) refused = what + ". " + std::string(CuptiHint(result));
    if (is_first) ReportProblem("cuda_activity_refused", what, CuptiHint(result));
  }
  LeaveOutCalls();
  const std::lock_guard lock(refusal_mutex);
  refusal = refused;
}

std::string Session::Switch(bool on) {
  static std::mutex switching;
  const std::lock_guard one(switching);
  const bool has_failed = is_active && the_session->has_failed_;  // CUPTI must not be called again.
  if (is_active && on && !is_enabled && !has_failed) {
    the_session->EnableActivities();
    is_enabled = true;
  } else if (is_active && !on && is_enabled && !has_failed) {
    // What has finished belongs to the time before.
    the_session->Flush(false);
    for (const Activity& activity : kActivities) the_session->subscription_.Disable(activity.kind);
    is_enabled = false;
  }
  const std::lock_guard lock(refusal_mutex);
  return on ? refusal : "";
}

/// CUPTI leaves these calls out itself where it can. In alternating rounds of one process on an
/// H100 that saved about 10 % of a call of an eager ResNet-50; between processes on an H200 no gain
/// could be seen (docs/gpu-results.md).
void Session::LeaveOutCalls() {
  if (api().GetCallbackName == nullptr) return;
  const auto find = [this](CUpti_CallbackDomain domain, CUpti_CallbackId end) {
    for (CUpti_CallbackId id = 1; id < end; ++id) {
      const char* name = nullptr;
      if (api().GetCallbackName(domain, id, &name) == CUPTI_SUCCESS && name != nullptr &&
          IsLeftOut(PlainName(name)))
        left_out_.emplace_back(domain, id);
    }
  };
  if (left_out_.empty()) {  // Once: calls may be switched one by one.
    find(CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_RUNTIME_TRACE_CBID_SIZE);
    find(CUPTI_CB_DOMAIN_DRIVER_API, CUPTI_DRIVER_TRACE_CBID_SIZE);
  }
  for (const auto& [domain, id] : left_out_) subscription_.LeaveOut(domain, id);
}

void Session::EnableCallbacks() {
  if (api().EnableCallback == nullptr) return;
  for (const WatchedCall& call : WatchedCalls()) {
    if (call.role == CallRole::kContextEnd || call.role == CallRole::kProfilerStop ||
        call.role == CallRole::kInstantiate)
      subscription_.EnableCallback(call.domain, call.id);
  }
#if CUPTI_API_VERSION >= 26  // CUDA 12.8; an older library refuses it.
  subscription_.EnableCallback(CUPTI_CB_DOMAIN_STATE, CUPTI_CBID_STATE_FATAL_ERROR);
#endif
  subscription_.EnableCallback(CUPTI_CB_DOMAIN_RESOURCE,
                               CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  if (api().GetGraphNodeId == nullptr) {
    return ReportProblem("cuda_no_graph_nodes",
                         "CUPTI does not number the nodes of graphs: kernels of replayed graphs "
                         "are tied to layers by their order, where that tells",
                         "Use CUPTI of CUDA 12.0 or later.");
  }
  for (const CUpti_CallbackId id :
       {CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
        CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING})
    subscription_.EnableCallback(CUPTI_CB_DOMAIN_RESOURCE, id);
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
  capture_file_ =
      std::make_unique<CaptureFileWriter>(std::getenv("XSP_RECORD_CUDA_KEEP"), api().version);
  decoder_ = std::make_unique<ActivityDecoder>(
      [this](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
        const char* name = nullptr;
        if (api().GetCallbackName == nullptr ||
            api().GetCallbackName(domain, id, &name) != CUPTI_SUCCESS)
          name = nullptr;
        const std::string text = name == nullptr ? "" : name;
        capture_file_->Callback(domain, id, text);
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
  capture_file_.reset();
}

void Session::DecodeBuffer(const BufferPool::Filled& filled) {
  if (!subscription_.has_our_clock() && !has_failed_) {
    const std::int64_t offset_ns = MeasureClockOffset();
    decoder_->SetClockOffset(offset_ns);
    capture_file_->Clock(offset_ns);
  }
  offsets_.clear();
  CUpti_Activity* record = nullptr;
  CUptiResult result = CUPTI_SUCCESS;
  while ((result = subscription_.NextRecord(filled.data, filled.bytes, &record)) == CUPTI_SUCCESS) {
    const auto offset = reinterpret_cast<std::uint8_t*>(record) - filled.data;
    if (offset < 0 || static_cast<std::size_t>(offset) >= filled.bytes) break;
    offsets_.push_back(static_cast<std::uint32_t>(offset));
  }
  if (result != CUPTI_ERROR_MAX_LIMIT_REACHED && !std::exchange(told_unread_, true)) {
    ReportProblem(
        "cuda_unread_records",
        "CUPTI could not read a buffer of its own to the end, what is behind is missing: " +
            api().Text(result) + " after record " + std::to_string(offsets_.size()),
        "Work that had not finished when the process ended may be told of like this; "
        "else report it with CUPTI's version, which the recording names.");
  }
  capture_file_->Buffer(filled.data, filled.bytes, offsets_);
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
    if (subscription_.Timestamp(&cupti) != CUPTI_SUCCESS) break;
    const std::uint64_t width = MonotonicNs() - before;
    if (width >= best_width) continue;
    best_width = width;
    best_offset = static_cast<std::int64_t>(before + width / 2) - static_cast<std::int64_t>(cupti);
  }
  return best_offset;
}

void Session::ReportDrops() {
  std::size_t dropped = 0;
  if (has_failed_ || subscription_.DroppedRecords(&dropped) != CUPTI_SUCCESS || dropped == 0)
    return;
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
  if (has_failed_) return;
  const CUptiResult result = api().ActivityFlushAll(forced ? CUPTI_ACTIVITY_FLAG_FLUSH_FORCED : 0);
  if (result == CUPTI_SUCCESS || told_flush_.exchange(true)) return;
  ReportProblem("cuda_flush_failed",
                "CUPTI did not hand out what it had recorded, some of it may be missing: " +
                    api().Text(result),
                CuptiHint(result));
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
  switch (domain) {
    case CUPTI_CB_DOMAIN_RESOURCE:
      return OnResource(id, data);
    case CUPTI_CB_DOMAIN_RUNTIME_API:
    case CUPTI_CB_DOMAIN_DRIVER_API:
      return OnCall(RoleOf(domain, id), static_cast<const CUpti_CallbackData*>(data)->callbackSite);
#if CUPTI_API_VERSION >= 26
    case CUPTI_CB_DOMAIN_STATE: {
      const auto& notice = static_cast<const CUpti_StateData*>(data)->notification;
      return OnFatalError(notice.result, notice.message);
    }
#endif
    default:
      return;
  }
}

void Session::OnCall(CallRole role, CUpti_ApiCallbackSite site) {
  const bool begins = site == CUPTI_API_ENTER;
  if (role == CallRole::kInstantiate) return GraphCaptures::Instantiating(begins);
  // Here and not when the context goes: in callbacks of resources CUPTI takes no flush, and before
  // our thread got to one, the context would be gone.
  if (role == CallRole::kContextEnd && begins) Flush(false);
  // After cudaProfilerStop, as after these, the program expects to have everything.
  if (!begins) FlushSoon();
}

void Session::FlushSoon() {
  flush_now_ = true;
  pool_.Wake();
}

/// CUPTI has shut itself down. The next call would start it again, for nobody.
void Session::OnFatalError(CUptiResult result, const char* message) {
  if (has_failed_.exchange(true)) return;
  std::string what = "CUPTI met an error that ended it, nothing of CUDA is recorded after that: ";
  what += api().Text(result);
  if (message != nullptr && *message != '\0') what += std::string(": ") + message;
  Refuse("cuda_cupti_failed", what, CuptiHint(result));
}

void Session::OnResource(CUpti_CallbackId id, const void* data) {
  const auto& resource = *static_cast<const CUpti_ResourceData*>(data);
  // By whatever call: those that OnCall knows have flushed already.
  if (id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) return FlushSoon();
  const auto* graph = static_cast<const CUpti_GraphData*>(resource.resourceDescriptor);
  std::uint64_t node = 0, original = 0;
  if (graph == nullptr || api().GetGraphNodeId(graph->node, &node) != CUPTI_SUCCESS) return;
  if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED) {
    captures_.Created(node);
  } else if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_DESTROY_STARTING) {
    captures_.Destroyed(node);
  } else if (id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED &&
             api().GetGraphNodeId(graph->originalNode, &original) == CUPTI_SUCCESS) {
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

void CUPTIAPI Session::RequestBufferNamed(std::uint8_t** buffer, std::size_t* size,
                                          std::size_t* most_records, void*) {
  RequestBuffer(buffer, size, most_records);
}

void CUPTIAPI Session::CompleteBufferNamed(std::uint8_t* buffer, std::size_t size,
                                           std::size_t valid, void*) {
  CompleteBuffer(nullptr, 0, buffer, size, valid);
}

}  // namespace xsp::record::cuda
