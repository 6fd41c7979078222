#include "record/cuda/kernel_metrics.h"

#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "record/cuda/context_metrics.h"
#include "record/cuda/metric_batch.h"
#include "record/cuda/metric_sets.h"
#include "record/cuda/metrics_keep.h"
#include "record/process.h"

namespace xsp::record::cuda {

bool KernelMetrics::IsAsked() { return !Environment(kCudaMetricsVariable).empty(); }

#if !XSP_HAS_RANGE_PROFILER

void KernelMetrics::Start(const CuptiApi&) {
  ReportProblem("cuda_metrics_unfit",
                "this libxsp-cuda.so was built with headers that have no range profiler: no kernel "
                "is measured",
                "Build it with CUDA 12.6 Update 2 or later (tools/setup --cuda).");
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

/// Launches that run one kernel now. Others (graphs, host functions) are no kernel of their own.
constexpr std::array kLaunches = {
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
    CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
};
constexpr std::array kGraphLaunches = {
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
    CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz,
};

bool IsGraphLaunch(std::uint32_t id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch ||
         id == CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz;
}

bool IsPerThread(std::uint32_t id) {
  return id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz ||
         id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz;
}

/// One context of the program and its batch of measured launches.
struct Context {
  std::timed_mutex mutex;  ///< Held from a launch's start to its end: ranges come in this order.
  std::uint32_t number = 0;
  std::atomic<bool> is_stuck{false};  ///< A launch did not end: nobody waits for it again.
  /// Launches that no ReadBatch has seen, the one that runs among them.
  std::atomic<std::int64_t> unread{0};
  bool is_opened = false, is_given_up = false;
  bool is_started = false;  ///< The profiler runs.
  bool is_pushed = false;   ///< It needs a range around all.
  bool is_probed = false;   ///< One launch has been measured alone, and was told as one range.
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
        keep_(std::getenv("XSP_RECORD_CUDA_KEEP"), cupti.version) {}

  bool Start();

 private:
  void OnLaunch(std::uint32_t id, const CUpti_CallbackData& call);
  void OnLaunchStart(std::uint32_t id, const CUpti_CallbackData& call);
  void OnLaunchEnd(const CUpti_CallbackData& call);
  void OnContextEnd(CUcontext context);
  Context* ContextOf(CUcontext handle);
  using Time = std::chrono::steady_clock::time_point;
  bool Enter(Context& context, Time deadline);
  bool MakeReady(Context& context, CUcontext handle);
  void ReadBatch(Context& context);
  void Tie(Context& context, const MeasuredRanges& ranges, std::size_t dropped);
  void Tell(const MetricTrouble& trouble);
  void TellOnce(std::atomic<bool>& told, const MetricTrouble& trouble);
  void Describe(const Context& context);
  bool IsCapturing(CUstream stream) const;
  void FillLaunch(std::uint32_t id, const CUpti_CallbackData& call, Context& context);
  static CUstream StreamOf(std::uint32_t id, const CUpti_CallbackData& call);
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
  BatchRecorder recorder_;
  MetricsKeepWriter keep_;
  std::uint64_t measured_ = 0, untied_ = 0;
  std::atomic<std::uint64_t> unmeasured_{0}, graph_launches_{0}, busy_ns_{0};
  std::atomic<bool> told_untied_{false}, told_graphs_{false}, told_wait_{false}, told_stop_{false},
      told_times_{false};
};

Measurement* the_measurement = nullptr;
/// In a forked child nothing may be touched: its locks may be held for ever.
std::atomic<bool> is_active{false};

std::chrono::steady_clock::time_point FromNow(std::chrono::steady_clock::duration wait) {
  return std::chrono::steady_clock::now() + wait;
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
  is_active = true;
  pthread_atfork(nullptr, nullptr, AfterForkInChild);
  std::atexit(AtExit);
  const auto enable = [this](CUpti_CallbackDomain domain, std::uint32_t id) {
    return cupti_.EnableCallback == nullptr ? CUPTI_ERROR_NOT_SUPPORTED
                                            : cupti_.EnableCallback(1, subscriber_, domain, id);
  };
  CUptiResult enabled = CUPTI_SUCCESS;
  for (const auto id : kLaunches) {
    const CUptiResult one = enable(CUPTI_CB_DOMAIN_DRIVER_API, id);
    if (one != CUPTI_SUCCESS) enabled = one;
  }
  for (const auto id : kGraphLaunches) enable(CUPTI_CB_DOMAIN_DRIVER_API, id);
  enable(CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
  if (enabled != CUPTI_SUCCESS)
    Tell({"cuda_metrics_refused",
          "CUPTI does not tell of all kinds of launches: " + cupti_.Text(enabled),
          std::string(ProfilerHint(enabled))});
  return true;
}

void Measurement::Tell(const MetricTrouble& trouble) {
  if (!trouble.name.empty()) ReportProblem(trouble.name, trouble.what, trouble.hint);
}

void Measurement::TellOnce(std::atomic<bool>& told, const MetricTrouble& trouble) {
  if (!told.exchange(true)) Tell(trouble);
}

void CUPTIAPI Measurement::Callback(void* self, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                    const void* data) {
  if (!is_active) return;
  auto& measurement = *static_cast<Measurement*>(self);
  if (domain == CUPTI_CB_DOMAIN_DRIVER_API) {
    measurement.OnLaunch(id, *static_cast<const CUpti_CallbackData*>(data));
  } else if (domain == CUPTI_CB_DOMAIN_RESOURCE &&
             id == CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING) {
    measurement.OnContextEnd(static_cast<const CUpti_ResourceData*>(data)->context);
  }
}

void Measurement::OnLaunch(std::uint32_t id, const CUpti_CallbackData& call) {
  // A launch that the driver makes inside another one is that one's.
  if (call.callbackSite == CUPTI_API_ENTER) {
    if (in_launch.depth++ == 0) OnLaunchStart(id, call);
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

bool Measurement::IsCapturing(CUstream stream) const {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  return api_.StreamIsCapturing != nullptr &&
         api_.StreamIsCapturing(stream, &status) == CUDA_SUCCESS &&
         status != CU_STREAM_CAPTURE_STATUS_NONE;
}

CUstream Measurement::StreamOf(std::uint32_t id, const CUpti_CallbackData& call) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto& parameters = *static_cast<const cuLaunchKernelEx_params*>(call.functionParams);
      return parameters.config == nullptr ? nullptr : parameters.config->hStream;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return static_cast<const cuLaunchCooperativeKernel_params*>(call.functionParams)->hStream;
    default:
      return static_cast<const cuLaunchKernel_params*>(call.functionParams)->hStream;
  }
}

void Measurement::OnLaunchStart(std::uint32_t id, const CUpti_CallbackData& call) {
  const bool is_graph = IsGraphLaunch(id);
  // What is captured runs later, if at all.
  if (!is_graph && IsCapturing(StreamOf(id, call))) return;
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

void Measurement::FillLaunch(std::uint32_t id, const CUpti_CallbackData& call, Context& context) {
  MeasuredLaunch& launch = context.current = {};
  const auto set = [](std::uint32_t(&to)[3], unsigned x, unsigned y, unsigned z) {
    to[0] = x, to[1] = y, to[2] = z;
  };
  const auto fill = [&](const auto& from) {
    set(launch.grid, from.gridDimX, from.gridDimY, from.gridDimZ);
    set(launch.block, from.blockDimX, from.blockDimY, from.blockDimZ);
    launch.dynamic_shared_bytes = from.sharedMemBytes;
  };
  if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx ||
      id == CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz) {
    const auto& parameters = *static_cast<const cuLaunchKernelEx_params*>(call.functionParams);
    if (parameters.config != nullptr) fill(*parameters.config);
  } else if (id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel ||
             id == CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz) {
    fill(*static_cast<const cuLaunchCooperativeKernel_params*>(call.functionParams));
  } else {
    fill(*static_cast<const cuLaunchKernel_params*>(call.functionParams));
  }
  launch.correlation = call.correlationId;
  launch.device = context.metrics->device();
  launch.thread = static_cast<std::uint32_t>(syscall(SYS_gettid));
  if (call.functionName != nullptr) launch.call = call.functionName;
  if (call.symbolName != nullptr) launch.kernel = call.symbolName;
  api_.GetStreamId(call.context, StreamOf(id, call), IsPerThread(id) ? 1 : 0, &launch.stream);
}

/// Whether the profiler runs now. The context's mutex is held.
bool Measurement::MakeReady(Context& context, CUcontext handle) {
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
    const MetricTrouble trouble = context.metrics->Open(asked_, table_);
    const std::lock_guard lock(mutex_);
    Tell(trouble);
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
    const MetricTrouble trouble = context.metrics->Start(context.is_pushed);
    if (!trouble.name.empty()) {
      TellOnce(told_stop_, trouble);
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
  keep_.Plan(context.number, metrics.compute_capability(), metrics.passes(), metrics.chip(), asked_,
             table_text_, metrics.plan());
  keep_.Image(context.number, MetricsBlock::kConfigImage, metrics.config_image());
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
  const auto* result = static_cast<const CUresult*>(call.functionReturnValue);
  // A launch that failed ran nothing.
  if (result == nullptr || *result == CUDA_SUCCESS) {
    context->launches.push_back(std::move(context->current));
  } else {
    --context->unread;
  }
  context->mutex.unlock();
}

/// Ends the batch, if one is open, and records it. The context's mutex is held.
void Measurement::ReadBatch(Context& context) {
  if (!std::exchange(context.is_started, false)) return;
  context.unread = 0;
  const std::uint64_t start_ns = xsp_now_ns();
  MeasuredRanges ranges;
  std::size_t dropped = 0;
  const MetricTrouble trouble = context.metrics->Stop(&ranges, &dropped);
  const std::lock_guard lock(mutex_);
  if (!trouble.name.empty()) {
    TellOnce(told_stop_, trouble);
    context.is_given_up = true;
    untied_ += context.launches.size();
  } else {
    keep_.Image(context.number, MetricsBlock::kCounterImage, context.metrics->counter_image());
    if (dropped > 0) ranges = {};  // Which ones are there is not known.
    keep_.Batch(context.number, context.launches, ranges);
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

void Measurement::OnContextEnd(CUcontext handle) {
  std::unique_ptr<Context> context;
  {
    const std::lock_guard lock(mutex_);
    const auto it = contexts_.find(handle);
    if (it == contexts_.end()) return;
    context = std::move(it->second);
    contexts_.erase(it);
  }
  if (Enter(*context, FromNow(kLongestWait))) {
    ReadBatch(*context);
    context->metrics.reset();
    context->is_given_up = true;
    context->mutex.unlock();
  } else {
    CountUnread(*context);
  }
  const std::lock_guard lock(mutex_);
  ended_.push_back(std::move(context));
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
  if (!is_active) return;
  the_measurement->End();
  is_active = false;
}

void Measurement::AfterForkInChild() { is_active = false; }

}  // namespace

void KernelMetrics::Start(const CuptiApi& cupti) {
  // For the life of the process: CUPTI's threads may outlive all.
  auto* measurement = new Measurement(cupti);
  if (!measurement->Start()) delete measurement;
}

#endif

}  // namespace xsp::record::cuda
