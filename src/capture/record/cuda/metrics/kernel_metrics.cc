#include "capture/record/cuda/metrics/kernel_metrics.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "capture/record/cuda/cupti/watched_calls.h"
#include "capture/record/cuda/metrics/capture_file.h"
#include "capture/record/cuda/metrics/context_metrics.h"
#include "capture/record/cuda/metrics/metric_batch.h"
#include "capture/record/cuda/metrics/metric_sets.h"
#include "capture/record/process.h"

namespace xsp::record::cuda {

bool KernelMetrics::IsAsked() { return !Environment(kCudaMetricsVariable).empty(); }

#if !XSP_HAS_RANGE_PROFILER

void KernelMetrics::Start(const CuptiApi&) {
  ReportProblem("cuda_metrics_unfit",
                "this libxsp-cuda.so was built with headers that have no range profiler: no kernel "
                "is measured",
                "Build it with CUDA 12.6 Update 2 or later (`tools/setup --cuda`).");
}

#else

namespace {

/// A batch is read no later than this after it began, at the next launch: what kill -9 can cost.
constexpr std::uint64_t kLongestBatchNs = 500'000'000;
/// How long a launch waits for one of another thread, once in the life of a context. Longer, and
/// its context goes unmeasured: kernels may wait for each other, which replay cannot serve.
constexpr auto kLongestWait = std::chrono::seconds(10);
/// How often those that wait look whether another thread has given up.
constexpr auto kWaitStep = std::chrono::milliseconds(100);
/// Batches without a single range after which a context is left alone.
constexpr int kMostEmptyBatches = 3;

/// One context of the program and its batch of measured launches.
struct Context {
  std::timed_mutex mutex;  ///< Held from a launch's start to its end: ranges come in this order.
  std::uint32_t number = 0;
  std::atomic<bool> is_stuck{false};  ///< A launch did not end: nobody waits for it again.
  std::atomic<bool> is_gone{false};   ///< The driver has destroyed it: nothing is asked of it.
  /// Launches that no ReadBatch has seen, the one that runs among them.
  std::atomic<std::int64_t> unread{0};
  std::atomic<int> captures{0};          ///< Streams that are being captured.
  std::atomic<std::int64_t> device{-1};  ///< -1: it has not been opened yet.
  bool is_opened = false, is_given_up = false;
  bool is_started = false;  ///< The profiler runs.
  bool is_pushed = false;   ///< It needs a range around all.
  bool is_probed = false;   ///< One launch has been measured alone, and resulted in one range.
  bool is_single = false;   ///< One launch a batch: some run kernels that nobody tells of.
  int empty_batches = 0;
  std::uint64_t started_ns = 0;
  std::unique_ptr<ContextMetrics> metrics;
  std::vector<MeasuredLaunch> launches;  ///< Of the batch.
  MeasuredLaunch current;                ///< Of the thread that holds the mutex.
};

/// The launch that this thread is in; plain numbers, so that the loader has nothing to destroy.
struct ThreadState {
  int depth;
  Context* measuring;
};
thread_local ThreadState in_launch = {0, nullptr};

class Measurement {
 public:
  explicit Measurement(const CuptiApi& cupti)
      : cupti_(cupti),
        api_(LoadProfiler(cupti)),
        asked_(Environment(kCudaMetricsVariable)),
        table_text_(MetricTableInForce()),
        table_(table_text_),
        capture_file_(std::getenv("XSP_RECORD_CUDA_KEEP"), cupti.version) {}

  bool Start();

 private:
  void OnCall(CUpti_CallbackDomain domain, CUpti_CallbackId id, const CUpti_CallbackData& call);
  void OnLaunch(bool is_graph, CUpti_CallbackId id, const CUpti_CallbackData& call);
  void OnLaunchStart(bool is_graph, CUpti_CallbackId id, const CUpti_CallbackData& call);
  void OnLaunchEnd(const CUpti_CallbackData& call);
  void OnCaptureBegin(const CUpti_CallbackData& call);
  void OnCaptureEnd(const CUpti_CallbackData& call);
  void EndCapture(Context& context);
  void OnContextEnding(const ContextEnding& ending);
  void OnContextGone(CUcontext handle);
  Context* ContextOf(CUcontext handle);
  using Time = std::chrono::steady_clock::time_point;
  bool Enter(Context& context, Time deadline);
  bool MakeReady(Context& context, CUcontext handle);
  void ReadBatch(Context& context);
  void Tie(Context& context, const MeasuredRanges& ranges, std::size_t dropped);
  void Tell(const MetricProblem& problem);
  void TellOnce(std::atomic<bool>& told, const MetricProblem& problem);
  void Describe(const Context& context);
  bool IsCaptured(CUstream stream) const;
  void FillLaunch(CUpti_CallbackId id, const CUpti_CallbackData& call, Context& context);
  void Close(Context& context);
  void CountUnread(Context& context);
  void End();
  static void AtExit();
  static void AfterForkInChild();
  static void CUPTIAPI Callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data);

  const CuptiApi cupti_;
  const ProfilerApi api_;
  const std::string asked_, table_text_;
  const MetricTable table_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  std::mutex mutex_;  ///< Of what follows.
  std::map<CUcontext, std::unique_ptr<Context> > contexts_;
  std::uint32_t next_context_ = 0;
  std::vector<std::unique_ptr<Context> > ended_;  ///< A thread may still be waiting for one.
  std::multimap<CUstream, Context*> captured_;    ///< Streams on which captures were begun.
  BatchRecorder recorder_;
  MetricCaptureWriter capture_file_;
  std::uint64_t measured_ = 0, untied_ = 0;
  std::atomic<std::uint64_t> launches_{0};  ///< Numbers them.
  std::atomic<int> captures_{0};            ///< Of all contexts.
  std::atomic<std::uint64_t> unmeasured_{0}, graph_launches_{0}, busy_ns_{0};
  std::atomic<bool> told_untied_{false}, told_graphs_{false}, told_wait_{false}, told_stop_{false},
      told_times_{false};
};

Measurement* the_measurement = nullptr;
/// In a forked child nothing may be touched: its locks may be held for ever.
std::atomic<bool> is_measuring{false};

std::chrono::steady_clock::time_point FromNow(std::chrono::steady_clock::duration wait) {
  return std::chrono::steady_clock::now() + wait;
}

CUresult ResultOf(const CUpti_CallbackData& call) {
  const auto* result = static_cast<const CUresult*>(call.functionReturnValue);
  return result == nullptr ? CUDA_SUCCESS : *result;
}

void Fact(const std::string& key, std::string_view value) {
  xsp_attribute(0, Intern("cuda.metrics." + key), value.data(), value.size());
}

bool Measurement::Start() {
  if (!api_.missing.empty()) {
    ReportProblem(
        "cuda_metrics_unfit",
        "CUPTI lacks a function of the range profiler, no kernel is measured: " + api_.missing,
        "Use CUPTI of CUDA 12.6 Update 2 or later (XSP_CUPTI_LIBRARY names one); a newer "
        "CUPTI needs a driver that is as new.");
    return false;
  }
  if (table_.sets().empty()) {
    ReportProblem("cuda_metrics_unfit", "the table of metrics has no row: no kernel is measured",
                  "Mend the file that XSP_RECORD_CUDA_METRICS_TABLE names, or leave it unset.");
    return false;
  }
  Fact("asked", asked_);
  const CUptiResult result = cupti_.Subscribe(&subscriber_, Callback, this);
  if (result != CUPTI_SUCCESS) {
    const bool other = result == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
    ReportProblem(other ? "cuda_other_profiler" : "cuda_metrics_refused",
                  (other ? "another profiler holds CUPTI in this process: no kernel is measured: "
                         : "CUPTI refused, no kernel is measured: ") +
                      cupti_.Text(result),
                  ProfilerHint(result));
    return false;
  }
  the_measurement = this;
  is_measuring = true;
  pthread_atfork(nullptr, nullptr, AfterForkInChild);
  std::atexit(AtExit);
  const auto enable = [this](CUpti_CallbackDomain domain, std::uint32_t id) {
    return cupti_.EnableCallback == nullptr ? CUPTI_ERROR_NOT_SUPPORTED
                                            : cupti_.EnableCallback(1, subscriber_, domain, id);
  };
  CUptiResult enabled = CUPTI_SUCCESS;
  for (const WatchedCall& call : WatchedCalls()) {
    if (call.role == CallRole::kInstantiate || call.role == CallRole::kProfilerStop) continue;
    const CUptiResult one = enable(call.domain, call.id);
    if (call.role == CallRole::kLaunch && one != CUPTI_SUCCESS) enabled = one;
  }
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  if (enabled != CUPTI_SUCCESS)
    Tell({"cuda_metrics_refused",
          "CUPTI does not tell of all kinds of launches: " + cupti_.Text(enabled),
          std::string(ProfilerHint(enabled))});
  return true;
}

void Measurement::Tell(const MetricProblem& problem) {
  if (!problem.name.empty()) ReportProblem(problem.name, problem.what, problem.hint);
}

void Measurement::TellOnce(std::atomic<bool>& told, const MetricProblem& problem) {
  if (!told.exchange(true)) Tell(problem);
}

void CUPTIAPI Measurement::Callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                    const void* data) {
  if (!is_measuring) return;
  auto& measurement = *static_cast<Measurement*>(self);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API || domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    measurement.OnCall(domain, id, *static_cast<const CUpti_CallbackData*>(data));
  } else if (domain == CUPTI_CB_DOMAIN_RESOURCE &&
             id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
    measurement.OnContextGone(static_cast<const CUpti_ResourceData*>(data)->context);
  }
}

void Measurement::OnCall(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                         const CUpti_CallbackData& call) {
  const bool begins = call.callbackSite == CUPTI_API_ENTER;
  switch (RoleOf(domain, id)) {
    case CallRole::kLaunch:
      return OnLaunch(false, id, call);
    case CallRole::kGraphLaunch:
      return OnLaunch(true, id, call);
    case CallRole::kCaptureBegin:
      return OnCaptureBegin(call);
    case CallRole::kCaptureEnd:
      if (!begins) OnCaptureEnd(call);
      return;
    case CallRole::kContextEnd:
      if (begins) OnContextEnding(EndingOf(domain, id, call));
      return;
    default:
      return;
  }
}

void Measurement::OnLaunch(bool is_graph, CUpti_CallbackId id, const CUpti_CallbackData& call) {
  // A launch that the driver makes inside another one is that one's.
  if (call.callbackSite == CUPTI_API_ENTER) {
    if (in_launch.depth++ == 0) OnLaunchStart(is_graph, id, call);
  } else if (in_launch.depth > 0 && --in_launch.depth == 0) {
    OnLaunchEnd(call);
  }
}

Context* Measurement::ContextOf(CUcontext handle) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<Context>& context = contexts_[handle];
  if (context == nullptr) {
    context = std::make_unique<Context>();
    context->number = next_context_++;
  }
  return context.get();
}

/// Also of a stream that has joined the capture of another one. The driver is asked only while
/// something is captured: callbacks are no place for calls of CUDA.
bool Measurement::IsCaptured(CUstream stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return captures_ > 0 && api_.StreamIsCapturing != nullptr &&
         api_.StreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

/// The end of a batch waits for the context, which breaks a capture: it is read before.
void Measurement::OnCaptureBegin(const CUpti_CallbackData& call) {
  Context& context = *ContextOf(call.context);
  if (call.callbackSite == CUPTI_API_ENTER) {
    ++captures_;
    ++context.captures;  // First, so that no launch begins another batch.
    if (!Enter(context, FromNow(kLongestWait))) return;
    ReadBatch(context);
    context.mutex.unlock();
  } else if (ResultOf(call) != CUDA_SUCCESS) {
    EndCapture(context);
  } else {
    const std::lock_guard lock(mutex_);
    captured_.emplace(CapturedStreamOf(call), &context);
  }
}

void Measurement::OnCaptureEnd(const CUpti_CallbackData& call) {
  // Whatever else went wrong with it, the capture is over.
  if (ResultOf(call) == CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD) return;
  Context* context = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto it = captured_.find(CapturedStreamOf(call));
    if (it == captured_.end()) return;
    context = it->second;
    captured_.erase(it);
  }
  EndCapture(*context);
}

void Measurement::EndCapture(Context& context) { --context.captures, --captures_; }

void Measurement::OnLaunchStart(bool is_graph, CUpti_CallbackId id,
                                const CUpti_CallbackData& call) {
  // What is captured runs later, if at all.
  if (!is_graph && IsCaptured(StreamOf(id, call))) return;
  Context& context = *ContextOf(call.context);
  const bool is_wanted = !is_graph && xsp_enabled(XSP_LEVEL_KERNEL) != 0;
  const bool is_ours = Enter(context, FromNow(kLongestWait));
  bool is_measured = false;
  if (!is_ours) {
    if (is_wanted) ++unmeasured_;
  } else if (is_wanted) {
    is_measured = MakeReady(context, call.context);
  } else {
    ReadBatch(context);
  }
  if (is_graph) {
    ++graph_launches_;
    TellOnce(told_graphs_, {"cuda_metrics_graphs",
                            "kernels of CUDA graphs are not measured: ranges do not tell the nodes "
                            "of a graph apart",
                            "Run the program without graphs for its metrics (PyTorch: without "
                            "torch.cuda.graph and mode=\"reduce-overhead\"): the kernels are the "
                            "same."});
  }
  if (!is_measured) {
    if (is_ours) context.mutex.unlock();
    return;
  }
  ++context.unread;
  FillLaunch(id, call, context);
  in_launch.measuring = &context;
  context.current.start_ns = xsp_now_ns();
}

/// Takes the context's lock, which a launch holds until its kernel has run. False: it could not be
/// had by the deadline, and from then on nobody waits for it: what keeps one kernel from ending
/// keeps the next one, too.
bool Measurement::Enter(Context& context, Time deadline) {
  while (!context.is_stuck) {
    if (context.mutex.try_lock_until(std::min(deadline, FromNow(kWaitStep)))) return true;
    if (std::chrono::steady_clock::now() < deadline) continue;
    context.is_stuck = true;
    TellOnce(
        told_wait_,
        {"cuda_metrics_wait",
         "kernels went unmeasured, as one of another thread did not end for 10 s: from then on "
         "none of its context is measured (cuda.metrics.kernels_unmeasured says how many)",
         "Kernels that wait for each other (collectives, cooperating streams) cannot be "
         "replayed one by one: measure a program of one process and one stream."});
  }
  return context.mutex.try_lock();
}

void Measurement::FillLaunch(CUpti_CallbackId id, const CUpti_CallbackData& call,
                             Context& context) {
  MeasuredLaunch& launch = context.current = {};
  DescribeLaunch(id, call, &launch);
  // CUPTI numbers calls only where it records them.
  launch.correlation = ++launches_;
  launch.device = context.metrics->device();
  launch.thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
  api_.GetStreamId(call.context, StreamOf(id, call), IsPerThread(id) ? 1 : 0, &launch.stream);
}

/// Whether the profiler runs now. The context's mutex is held.
bool Measurement::MakeReady(Context& context, CUcontext handle) {
  if (context.is_gone || context.captures > 0) {
    ++unmeasured_;
    return false;
  }
  if (context.is_stuck && !context.is_given_up) {
    ReadBatch(context);
    context.is_given_up = true;
  }
  if (context.is_given_up) {
    ++unmeasured_;
    return false;
  }
  if (!std::exchange(context.is_opened, true)) {
    context.metrics = std::make_unique<ContextMetrics>(cupti_, api_, handle);
    const MetricProblem problem = context.metrics->Open(asked_, table_);
    context.device = context.metrics->device();
    const std::lock_guard lock(mutex_);
    Tell(problem);
    if (context.metrics->can_measure()) {
      Describe(context);
    } else {
      context.is_given_up = true;
      ++unmeasured_;
      return false;
    }
  }
  // The first one alone: whether it comes as one range shows how this CUPTI tells them.
  const std::size_t most =
      context.is_probed && !context.is_single ? ContextMetrics::kMostLaunches : 1;
  if (context.is_started &&
      (context.launches.size() >= most || xsp_now_ns() - context.started_ns >= kLongestBatchNs))
    ReadBatch(context);
  if (context.is_given_up) {
    ++unmeasured_;
    return false;
  }
  if (!context.is_started) {
    const MetricProblem problem = context.metrics->Start(context.is_pushed);
    if (!problem.name.empty()) {
      TellOnce(told_stop_, problem);
      context.is_given_up = true;
      ++unmeasured_;
      return false;
    }
    context.is_started = true;
    context.started_ns = xsp_now_ns();
  }
  return true;
}

/// What the run is: facts of the recording, and that its times are none. Under mutex_.
void Measurement::Describe(const Context& context) {
  const ContextMetrics& metrics = *context.metrics;
  std::string raw;
  for (const std::string& name : metrics.plan().raw) raw += (raw.empty() ? "" : ",") + name;
  const std::string device = "device." + std::to_string(metrics.device()) + ".";
  Fact(device + "chip", metrics.chip());
  Fact(device + "passes", std::to_string(metrics.passes()));
  Fact(device + "raw", raw);
  capture_file_.Plan(context.number, metrics.compute_capability(), metrics.passes(), metrics.chip(),
                     asked_, table_text_, metrics.plan());
  TellOnce(told_times_,
           {"cuda_metrics_times",
            "kernels ran under the range profiler, " + std::to_string(metrics.passes()) +
                " passes each, one after another: times of this recording are none of the program",
            "Take times from a run without XSP_RECORD_CUDA_METRICS; `xsp record --cuda-metrics` "
            "makes both runs and takes from each what it is good for."});
}

void Measurement::OnLaunchEnd(const CUpti_CallbackData& call) {
  Context* const context = std::exchange(in_launch.measuring, nullptr);
  if (context == nullptr) return;
  context->current.end_ns = xsp_now_ns();
  busy_ns_ += context->current.end_ns - context->current.start_ns;
  // A launch that failed ran nothing.
  if (ResultOf(call) == CUDA_SUCCESS) {
    context->launches.push_back(std::move(context->current));
  } else {
    --context->unread;
  }
  context->mutex.unlock();
}

/// Ends the batch, if one is open, and records it. The context's mutex is held.
void Measurement::ReadBatch(Context& context) {
  if (!std::exchange(context.is_started, false)) return;
  if (context.is_gone) return context.launches.clear();  // OnContextGone has counted them.
  context.unread = 0;
  const std::uint64_t start_ns = xsp_now_ns();
  MeasuredRanges ranges;
  std::size_t dropped = 0;
  const MetricProblem problem = context.metrics->Stop(&ranges, &dropped);
  const std::lock_guard lock(mutex_);
  if (!problem.name.empty()) {
    TellOnce(told_stop_, problem);
    context.is_given_up = true;
    untied_ += context.launches.size();
  } else {
    if (dropped > 0) ranges = {};  // Which ones are there is not known.
    capture_file_.Batch(context.number, context.launches, ranges);
    Tie(context, ranges, dropped);
  }
  context.launches.clear();
  busy_ns_ += xsp_now_ns() - start_ns;
}

/// Under mutex_ and the context's.
void Measurement::Tie(Context& context, const MeasuredRanges& ranges, std::size_t dropped) {
  if (context.launches.empty()) return;
  if (recorder_.Record(context.metrics->plan(), context.launches, ranges)) {
    measured_ += context.launches.size();
    context.is_probed = true;
    context.empty_batches = 0;
    return;
  }
  untied_ += context.launches.size();
  if (ranges.names.empty() && dropped == 0) {
    context.is_pushed = !context.is_pushed;
    if (++context.empty_batches < kMostEmptyBatches) return;
    context.is_given_up = true;
    return Tell({"cuda_metrics_nothing",
                 "CUPTI measured none of the kernels that were launched: its range profiler told "
                 "of no range",
                 "Run `ncu` on the same program: where that measures nothing either, the driver "
                 "does not let it; else report it with CUPTI's version."});
  }
  context.is_single = true;  // From here on: what does not fit costs one launch.
  TellOnce(told_untied_,
           {"cuda_metrics_untied",
            "kernels went without metrics, as CUPTI told of another number of ranges than kernels "
            "were launched: " +
                std::to_string(ranges.names.size() + dropped) + " ranges of " +
                std::to_string(context.launches.size()) + " launches",
            "Kernels that are launched by kernels or by libraries that hide their launches (OptiX) "
            "count as ranges; the others are measured one by one after that."});
}

/// Before the call that ends it, as CUPTI and the driver can be asked here: not so in the callback
/// of the context itself. One that lives on, as others hold it, is opened again at its next launch.
void Measurement::OnContextEnding(const ContextEnding& ending) {
  std::vector<Context*> contexts;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, context] : contexts_) {
      const bool is_meant = ending.context != nullptr
                                ? handle == ending.context
                                : ending.device < 0 || context->device == ending.device;
      if (is_meant && context->device >= 0) contexts.push_back(context.get());
    }
  }
  for (Context* context : contexts) Close(*context);
}

void Measurement::Close(Context& context) {
  if (!Enter(context, FromNow(kLongestWait))) return;  // OnContextGone counts its launches.
  ReadBatch(context);
  context.metrics.reset();
  context.is_opened = false;
  context.mutex.unlock();
}

/// What was not read by now is lost. Its profiler is left as it is: CUPTI is not to be called here.
void Measurement::OnContextGone(CUcontext handle) {
  const std::lock_guard lock(mutex_);
  const auto it = contexts_.find(handle);
  if (it == contexts_.end()) return;
  const auto is_its_own = [&it](const auto& one) { return one.second == it->second.get(); };
  captures_ -= static_cast<int>(std::erase_if(captured_, is_its_own));
  it->second->is_gone = true;
  CountUnread(*it->second);
  ended_.push_back(std::move(it->second));
  contexts_.erase(it);
}

/// Those of a launch that did not end, and of the batch that it is in.
void Measurement::CountUnread(Context& context) {
  const std::int64_t unread = context.unread.exchange(0);
  if (unread > 0) unmeasured_ += static_cast<std::uint64_t>(unread);
}

void Measurement::End() {
  std::vector<Context*> contexts;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [handle, context] : contexts_) contexts.push_back(context.get());
  }
  const Time deadline = FromNow(kLongestWait);  // Of all together.
  for (Context* context : contexts) {
    if (!Enter(*context, deadline)) {
      CountUnread(*context);
      continue;
    }
    ReadBatch(*context);
    context->is_given_up = true;
    context->mutex.unlock();
  }
  const std::lock_guard lock(mutex_);
  Fact("kernels", std::to_string(measured_));
  Fact("kernels_untied", std::to_string(untied_));
  Fact("kernels_unmeasured", std::to_string(unmeasured_.load()));
  Fact("graph_launches", std::to_string(graph_launches_.load()));
  Fact("seconds", std::to_string(1e-9 * static_cast<double>(busy_ns_.load())));
}

void Measurement::AtExit() {
  if (!is_measuring) return;
  the_measurement->End();
  is_measuring = false;
}

void Measurement::AfterForkInChild() { is_measuring = false; }

}  // namespace

void KernelMetrics::Start(const CuptiApi& cupti) {
  // For the life of the process: CUPTI's threads may outlive all.
  auto* measurement = new Measurement(cupti);
  if (!measurement->Start()) delete measurement;
}

#endif

}  // namespace xsp::record::cuda
