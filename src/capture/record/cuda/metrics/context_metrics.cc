#include "capture/record/cuda/metrics/context_metrics.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <set>
#include <utility>

namespace xsp::record::cuda {

std::string_view ProfilerHint(CUptiResult result) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return "Only administrators may read this GPU's counters (ERR_NVGPUCTRPERM). Load the "
             "driver's module with NVreg_RestrictProfilingToAdminUsers=0 (a line \"options nvidia "
             "NVreg_RestrictProfilingToAdminUsers=0\" in /etc/modprobe.d, then reboot), or run the "
             "program with CAP_SYS_ADMIN (a container: --cap-add=SYS_ADMIN; driver 570 and later: "
             "CAP_PERFMON does).";
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
      return "The hypervisor does not let this virtual GPU be profiled: have its administrator "
             "switch profiling on, or use a whole GPU.";
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
      return "This GPU is cut into MIG slices, whose counters CUPTI cannot read here: run on a "
             "whole GPU (nvidia-smi -mig 0).";
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
      return "Confidential computing forbids counters: switch it off, or run elsewhere.";
    case CUPTI_ERROR_HARDWARE_BUSY:
    case CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED:
      return "Another profiler holds the counters: run without ncu, nsys, cuda-gdb and "
             "torch.profiler; a monitoring agent on DCGM lets go with `dcgmi profile --pause`.";
    case CUPTI_ERROR_OUT_OF_MEMORY:
      return "Replaying a kernel keeps a copy of the memory that it writes: use a smaller batch, "
             "or ask for fewer metrics at a time.";
    case CUPTI_ERROR_NOT_INITIALIZED:
      return "The driver is older than CUPTI: use the CUPTI of the driver's CUDA version "
             "(XSP_CUPTI_LIBRARY names one).";
    default:
      return "See docs/cuda.md, \"Kernel metrics\".";
  }
}

#if XSP_HAS_RANGE_PROFILER

namespace {

/// CUPTI tells the version of a structure by its size, and an older CUPTI may refuse a size that it
/// does not know: then the sizes that its fields had before are tried.
template <typename Parameters>
CUptiResult CallWithSizes(CUptiResult (*function)(Parameters*), Parameters& parameters,
                          std::initializer_list<std::size_t> sizes) {
  CUptiResult result = CUPTI_ERROR_INVALID_PARAMETER;
  for (const std::size_t size : sizes) {
    parameters.structSize = size;
    result = function(&parameters);
    if (result != CUPTI_ERROR_INVALID_PARAMETER) break;
  }
  return result;
}

#define XSP_SIZE_TO(type, last) (offsetof(type, last) + sizeof(type::last))

struct Requirement {
  CUpti_Profiler_Support_Level CUpti_Profiler_DeviceSupported_Params::*level;
  const char* what;
};

constexpr Requirement kRequirements[] = {
    {&CUpti_Profiler_DeviceSupported_Params::architecture,
     "it is older than Turing (compute capability 7.5)"},
    {&CUpti_Profiler_DeviceSupported_Params::sli, "it is joined with others by SLI"},
    {&CUpti_Profiler_DeviceSupported_Params::vGpu,
     "it is a virtual GPU whose profiling is not switched on"},
    {&CUpti_Profiler_DeviceSupported_Params::confidentialCompute,
     "confidential computing is switched on"},
    {&CUpti_Profiler_DeviceSupported_Params::cmp, "it is a mining processor (CMP)"},
    {&CUpti_Profiler_DeviceSupported_Params::wsl,
     "this Windows Subsystem for Linux has no profiling"},
};

/// While it lives, a context is this thread's current one. The thread that reads the last kernels
/// need not be one that launched: at the end of the process, or of a context, it has another
/// context or none.
class CurrentContext {
 public:
  CurrentContext(const ProfilerApi& api, CUcontext context) : api_(api) {
    CUcontext current = nullptr;
    if (api.CtxPushCurrent == nullptr || api.CtxPopCurrent == nullptr) return;
    if (api.CtxGetCurrent != nullptr && api.CtxGetCurrent(&current) == CUDA_SUCCESS &&
        current == context)
      return;
    result_ = api.CtxPushCurrent(context);
    is_pushed_ = result_ == CUDA_SUCCESS;
  }
  ~CurrentContext() {
    CUcontext popped = nullptr;
    if (is_pushed_) api_.CtxPopCurrent(&popped);
  }
  CurrentContext(const CurrentContext&) = delete;
  CurrentContext& operator=(const CurrentContext&) = delete;

  CUresult result() const { return result_; }

 private:
  const ProfilerApi& api_;
  CUresult result_ = CUDA_SUCCESS;
  bool is_pushed_ = false;
};

/// What to do about an error of one function. CUPTI says of its host API, whose library it did not
/// find, what it says of a driver that is too old.
std::string HostHintFor(std::string_view function, CUptiResult result) {
  if (result != CUPTI_ERROR_NOT_INITIALIZED || !function.starts_with("cuptiProfilerHost"))
    return std::string(ProfilerHint(result));
  return std::string("CUPTI found no ") + kHostLibrary +
         " that fits it: put the one of its version beside libcupti, where toolkits and the Python "
         "package nvidia-cuda-cupti have it, or its folder on LD_LIBRARY_PATH.";
}

}  // namespace

ContextMetrics::~ContextMetrics() {
  if (const CurrentContext current(api_, context_);
      profiler_ != nullptr && current.result() == CUDA_SUCCESS) {
    CUpti_RangeProfiler_Disable_Params disable = {};
    disable.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
    disable.pRangeProfilerObject = profiler_;
    api_.Disable(&disable);
  }
  CloseHost();
}

void ContextMetrics::CloseHost() {
  if (host_ == nullptr) return;
  CUpti_Profiler_Host_Deinitialize_Params end = {};
  end.structSize = CUpti_Profiler_Host_Deinitialize_Params_STRUCT_SIZE;
  end.pHostObject = host_;
  api_.HostDeinitialize(&end);
  host_ = nullptr;
}

MetricProblem ContextMetrics::Failed(const char* function, CUptiResult result) const {
  return {"cuda_metrics_refused",
          "kernels are not measured on device " + std::to_string(device_) + ": " + function + ": " +
              cupti_.Text(result),
          HostHintFor(function, result)};
}

MetricProblem ContextMetrics::NotCurrent(CUresult result) const {
  const char* name = nullptr;
  if (api_.GetErrorName == nullptr || api_.GetErrorName(result, &name) != CUDA_SUCCESS ||
      name == nullptr)
    name = "error of the driver";
  return {"cuda_metrics_refused",
          "kernels are not measured on device " + std::to_string(device_) +
              ": their context cannot be used on the thread that reads them: cuCtxPushCurrent: " +
              name + " (" + std::to_string(static_cast<int>(result)) + ")",
          "The driver had shut down, or the context was gone, before its last kernels were read. "
          "Have the program release the GPU before it exits (cudaDeviceReset, cuCtxDestroy): what "
          "was measured is read then."};
}

MetricProblem ContextMetrics::Open(std::string_view asked, const MetricTable& table) {
  if (MetricProblem problem = AskDevice(); !problem.name.empty()) return problem;
  const CurrentContext current(api_, context_);
  if (current.result() != CUDA_SUCCESS) return NotCurrent(current.result());
  if (MetricProblem problem = OpenHost(); !problem.name.empty()) return problem;
  if (MetricProblem problem = AddMetrics(asked, table); !problem.name.empty()) return problem;
  if (!plan_.raw.empty()) {
    if (MetricProblem problem = MakeConfig(); !problem.name.empty()) return problem;
    if (MetricProblem problem = OpenTarget(); !problem.name.empty()) return problem;
  }
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
  };
  if (plan_.missing.empty() && plan_.unknown_sets.empty()) return {};
  std::string what = plan_.raw.empty() ? "no metric that was asked for can be measured on "
                                       : "some metrics cannot be measured on ";
  what += chip_ + ", the others are:";
  if (plan_.raw.empty()) what.replace(what.rfind(", the others are"), std::string::npos, ":");
  if (!plan_.missing.empty()) what += " it does not have " + joined(plan_.missing) + ".";
  if (!plan_.unknown_sets.empty())
    what +=
        " No such set: " + joined(plan_.unknown_sets) + " (sets are " + joined(table.sets()) + ").";
  return {"cuda_metrics_unknown", what,
          "`ncu --query-metrics` lists the raw names that a GPU has; they are asked for with their "
          "ending, such as .sum. Other rows for a chip: XSP_RECORD_CUDA_METRICS_TABLE names a "
          "table of your own, in the form of machine/cuda_metrics.csv."};
}

MetricProblem ContextMetrics::AskDevice() {
  CUpti_Profiler_Initialize_Params initialize = {};
  initialize.structSize = CUpti_Profiler_Initialize_Params_STRUCT_SIZE;
  if (const CUptiResult result = api_.Initialize(&initialize); result != CUPTI_SUCCESS)
    return Failed("cuptiProfilerInitialize", result);
  if (const CUptiResult result = api_.GetDeviceId(context_, &device_); result != CUPTI_SUCCESS)
    return Failed("cuptiGetDeviceId", result);
  CUpti_Profiler_DeviceSupported_Params support = {};
  support.cuDevice = static_cast<CUdevice>(device_);
  support.api = CUPTI_PROFILER_RANGE_PROFILING;
  if (api_.DeviceSupported != nullptr &&
      CallWithSizes(api_.DeviceSupported, support,
                    {sizeof support, CUpti_Profiler_DeviceSupported_Params_STRUCT_SIZE,
                     XSP_SIZE_TO(CUpti_Profiler_DeviceSupported_Params, api),
                     XSP_SIZE_TO(CUpti_Profiler_DeviceSupported_Params, wsl)}) == CUPTI_SUCCESS &&
      (support.isSupported == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
       support.isSupported == CUPTI_PROFILER_CONFIGURATION_DISABLED)) {
    std::string why = "CUPTI does not say why";
    for (const Requirement& requirement : kRequirements) {
      const auto level = support.*requirement.level;
      if (level == CUPTI_PROFILER_CONFIGURATION_UNSUPPORTED ||
          level == CUPTI_PROFILER_CONFIGURATION_DISABLED)
        why = requirement.what;
    }
    return {"cuda_metrics_unsupported",
            "kernels are not measured on device " + std::to_string(device_) +
                ", whose counters CUPTI cannot read: " + why,
            "Measure on another GPU; times and calls are recorded here without "
            "XSP_RECORD_CUDA_METRICS."};
  }
  CUpti_Device_GetChipName_Params chip = {};
  chip.structSize = CUpti_Device_GetChipName_Params_STRUCT_SIZE;
  chip.deviceIndex = device_;
  if (const CUptiResult result = api_.GetChipName(&chip); result != CUPTI_SUCCESS)
    return Failed("cuptiDeviceGetChipName", result);
  chip_ = chip.pChipName;
  int major = 0, minor = 0;
  const auto device = static_cast<CUdevice>(device_);
  if (api_.DeviceGetAttribute != nullptr &&
      api_.DeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ==
          CUDA_SUCCESS &&
      api_.DeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) ==
          CUDA_SUCCESS)
    compute_capability_ = 10 * major + minor;
  return {};
}

MetricProblem ContextMetrics::OpenHost() {
  // What this very GPU has: chips of one name differ, and a newer one is known by it alone.
  if (api_.GetCounterAvailability != nullptr) {
    CUpti_Profiler_GetCounterAvailability_Params available = {};
    available.ctx = context_;
    const std::initializer_list<std::size_t> sizes = {
        CUpti_Profiler_GetCounterAvailability_Params_STRUCT_SIZE,
        XSP_SIZE_TO(CUpti_Profiler_GetCounterAvailability_Params, pCounterAvailabilityImage)};
    CUptiResult result = CallWithSizes(api_.GetCounterAvailability, available, sizes);
    if (result == CUPTI_SUCCESS) {
      availability_.resize(available.counterAvailabilityImageSize);
      available.pCounterAvailabilityImage = availability_.data();
      result = CallWithSizes(api_.GetCounterAvailability, available, sizes);
    }
    if (result != CUPTI_SUCCESS) availability_.clear();
    if (result == CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
      return Failed("cuptiProfilerGetCounterAvailability", result);
  }
  CUpti_Profiler_Host_Initialize_Params host = {};
  host.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
  host.pChipName = chip_.c_str();
  host.pCounterAvailabilityImage = availability_.empty() ? nullptr : availability_.data();
  const CUptiResult result =
      CallWithSizes(api_.HostInitialize, host,
                    {CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE,
                     XSP_SIZE_TO(CUpti_Profiler_Host_Initialize_Params, pHostObject)});
  if (result != CUPTI_SUCCESS) return Failed("cuptiProfilerHostInitialize", result);
  host_ = host.pHostObject;
  return {};
}

bool ContextMetrics::HasMetric(const std::string& raw) const {
  if (api_.HostGetMetricProperties == nullptr) return true;  // AddMetrics finds out.
  CUpti_Profiler_Host_GetMetricProperties_Params properties = {};
  properties.pHostObject = host_;
  properties.pMetricName = raw.c_str();
  return CallWithSizes(api_.HostGetMetricProperties, properties,
                       {CUpti_Profiler_Host_GetMetricProperties_Params_STRUCT_SIZE,
                        XSP_SIZE_TO(CUpti_Profiler_Host_GetMetricProperties_Params, metricType)}) ==
         CUPTI_SUCCESS;
}

/// Resolves what was asked for by what the chip has, and hands it to CUPTI: all in one; where that
/// is refused, one after another, so that one name costs one metric. Names that were refused are as
/// those that the chip has not: another choice of the table may do without them, and whoever
/// resolves again with the names that were taken (ReplayMetricCapture) comes to the same plan.
MetricProblem ContextMetrics::AddMetrics(std::string_view asked, const MetricTable& table) {
  const auto add = [this](const std::vector<const char*>& names) {
    CUpti_Profiler_Host_ConfigAddMetrics_Params more = {};
    more.structSize = CUpti_Profiler_Host_ConfigAddMetrics_Params_STRUCT_SIZE;
    more.pHostObject = host_;
    more.ppMetricNames = const_cast<const char**>(names.data());
    more.numMetrics = names.size();
    return api_.HostConfigAddMetrics(&more);
  };
  const auto open_again = [this] {  // The object may hold some of them by now.
    CloseHost();
    return OpenHost();
  };
  std::set<std::string> refused;
  std::vector<DerivedMetric> wanted;
  CUptiResult last = CUPTI_SUCCESS;
  for (;;) {
    plan_ = table.Resolve(asked, compute_capability_, [&](const std::string& raw) {
      return !refused.contains(raw) && HasMetric(raw);
    });
    if (refused.empty()) wanted = plan_.derived;
    raw_names_.clear();
    for (const std::string& raw : plan_.raw) raw_names_.push_back(raw.c_str());
    if (plan_.raw.empty() || add(raw_names_) == CUPTI_SUCCESS) break;
    if (MetricProblem problem = open_again(); !problem.name.empty()) return problem;
    const std::size_t before = refused.size();
    for (const char* raw : raw_names_) {
      const CUptiResult result = add({raw});
      if (result == CUPTI_SUCCESS) continue;
      last = result;
      refused.insert(raw);
    }
    if (refused.size() == before) break;
    if (MetricProblem problem = open_again(); !problem.name.empty()) return problem;
  }
  if (plan_.raw.empty() && !refused.empty())
    return Failed("cuptiProfilerHostConfigAddMetrics", last);
  const auto is_called = [](const std::string& name) {
    return [&name](const DerivedMetric& derived) { return derived.name == name; };
  };
  for (const DerivedMetric& derived : wanted) {
    if (std::none_of(plan_.derived.begin(), plan_.derived.end(), is_called(derived.name)) &&
        std::find(plan_.missing.begin(), plan_.missing.end(), derived.name) == plan_.missing.end())
      plan_.missing.push_back(derived.name);
  }
  return {};
}

MetricProblem ContextMetrics::MakeConfig() {
  CUpti_Profiler_Host_GetConfigImageSize_Params size = {};
  size.structSize = CUpti_Profiler_Host_GetConfigImageSize_Params_STRUCT_SIZE;
  size.pHostObject = host_;
  if (const CUptiResult result = api_.HostGetConfigImageSize(&size); result != CUPTI_SUCCESS)
    return Failed("cuptiProfilerHostGetConfigImageSize", result);
  config_.resize(size.configImageSize);
  CUpti_Profiler_Host_GetConfigImage_Params image = {};
  image.structSize = CUpti_Profiler_Host_GetConfigImage_Params_STRUCT_SIZE;
  image.pHostObject = host_;
  image.configImageSize = config_.size();
  image.pConfigImage = config_.data();
  if (const CUptiResult result = api_.HostGetConfigImage(&image); result != CUPTI_SUCCESS)
    return Failed("cuptiProfilerHostGetConfigImage", result);
  CUpti_Profiler_Host_GetNumOfPasses_Params passes = {};
  passes.structSize = CUpti_Profiler_Host_GetNumOfPasses_Params_STRUCT_SIZE;
  passes.configImageSize = config_.size();
  passes.pConfigImage = config_.data();
  if (const CUptiResult result = api_.HostGetNumOfPasses(&passes); result != CUPTI_SUCCESS)
    return Failed("cuptiProfilerHostGetNumOfPasses", result);
  passes_ = passes.numOfPasses;
  return {};
}

MetricProblem ContextMetrics::OpenTarget() {
  CUpti_RangeProfiler_Enable_Params enable = {};
  enable.structSize = CUpti_RangeProfiler_Enable_Params_STRUCT_SIZE;
  enable.ctx = context_;
  if (const CUptiResult result = api_.Enable(&enable); result != CUPTI_SUCCESS)
    return Failed("cuptiRangeProfilerEnable", result);
  CUpti_RangeProfiler_GetCounterDataSize_Params size = {};
  size.structSize = CUpti_RangeProfiler_GetCounterDataSize_Params_STRUCT_SIZE;
  size.pRangeProfilerObject = enable.pRangeProfilerObject;
  size.pMetricNames = raw_names_.data();
  size.numMetrics = raw_names_.size();
  size.maxNumOfRanges = kMostRanges;
  size.maxNumRangeTreeNodes = kMostRanges;
  profiler_ = enable.pRangeProfilerObject;
  MetricProblem problem;
  if (const CUptiResult result = api_.GetCounterDataSize(&size); result != CUPTI_SUCCESS)
    problem = Failed("cuptiRangeProfilerGetCounterDataSize", result);
  counters_.resize(size.counterDataSize);
  if (problem.name.empty()) return {};
  CUpti_RangeProfiler_Disable_Params disable = {};
  disable.structSize = CUpti_RangeProfiler_Disable_Params_STRUCT_SIZE;
  disable.pRangeProfilerObject = std::exchange(profiler_, nullptr);
  api_.Disable(&disable);
  return problem;
}

MetricProblem ContextMetrics::Start(bool in_pushed_range) {
  const CurrentContext current(api_, context_);
  if (current.result() != CUDA_SUCCESS) return NotCurrent(current.result());
  // The image is emptied, so that its ranges are those of one Start only.
  CUpti_RangeProfiler_CounterDataImage_Initialize_Params empty = {};
  empty.structSize = CUpti_RangeProfiler_CounterDataImage_Initialize_Params_STRUCT_SIZE;
  empty.pRangeProfilerObject = profiler_;
  empty.counterDataSize = counters_.size();
  empty.pCounterData = counters_.data();
  if (const CUptiResult result = api_.CounterDataImageInitialize(&empty); result != CUPTI_SUCCESS)
    return Failed("cuptiRangeProfilerCounterDataImageInitialize", result);
  CUpti_RangeProfiler_SetConfig_Params config = {};
  config.structSize = CUpti_RangeProfiler_SetConfig_Params_STRUCT_SIZE;
  config.pRangeProfilerObject = profiler_;
  config.configSize = config_.size();
  config.pConfig = config_.data();
  config.counterDataImageSize = counters_.size();
  config.pCounterDataImage = counters_.data();
  config.range = CUPTI_AutoRange;
  config.replayMode = CUPTI_KernelReplay;
  config.maxRangesPerPass = kMostRanges;
  config.numNestingLevels = 1;
  config.minNestingLevel = 1;
  // In replay within the program: the first pass, of the lowest level (cupti_profiler_target.h).
  config.passIndex = 0;
  config.targetNestingLevel = config.minNestingLevel;
  if (const CUptiResult result = api_.SetConfig(&config); result != CUPTI_SUCCESS)
    return Failed("cuptiRangeProfilerSetConfig", result);
  CUpti_RangeProfiler_Start_Params start = {};
  start.structSize = CUpti_RangeProfiler_Start_Params_STRUCT_SIZE;
  start.pRangeProfilerObject = profiler_;
  if (const CUptiResult result = api_.Start(&start); result != CUPTI_SUCCESS)
    return Failed("cuptiRangeProfilerStart", result);
  is_pushed_ = false;
  if (!in_pushed_range) return {};
  CUpti_RangeProfiler_PushRange_Params push = {};
  push.structSize = CUpti_RangeProfiler_PushRange_Params_STRUCT_SIZE;
  push.pRangeProfilerObject = profiler_;
  push.pRangeName = "xsp";
  is_pushed_ = api_.PushRange(&push) == CUPTI_SUCCESS;
  return {};
}

MetricProblem ContextMetrics::Stop(MeasuredRanges* ranges, std::size_t* dropped) {
  *ranges = {};
  *dropped = 0;
  const CurrentContext current(api_, context_);
  if (current.result() != CUDA_SUCCESS) return NotCurrent(current.result());
  if (std::exchange(is_pushed_, false)) {
    CUpti_RangeProfiler_PopRange_Params pop = {};
    pop.structSize = CUpti_RangeProfiler_PopRange_Params_STRUCT_SIZE;
    pop.pRangeProfilerObject = profiler_;
    api_.PopRange(&pop);
  }
  CUpti_RangeProfiler_Stop_Params stop = {};
  stop.structSize = CUpti_RangeProfiler_Stop_Params_STRUCT_SIZE;
  stop.pRangeProfilerObject = profiler_;
  if (const CUptiResult result = api_.Stop(&stop); result != CUPTI_SUCCESS)
    return Failed("cuptiRangeProfilerStop", result);
  CUpti_RangeProfiler_DecodeData_Params decode = {};
  decode.structSize = CUpti_RangeProfiler_DecodeData_Params_STRUCT_SIZE;
  decode.pRangeProfilerObject = profiler_;
  if (const CUptiResult result = api_.DecodeData(&decode); result != CUPTI_SUCCESS)
    return Failed("cuptiRangeProfilerDecodeData", result);
  *dropped = decode.numOfRangeDropped;
  return Evaluate(ranges);
}

MetricProblem ContextMetrics::Evaluate(MeasuredRanges* ranges) {
  CUpti_RangeProfiler_GetCounterDataInfo_Params info = {};
  info.structSize = CUpti_RangeProfiler_GetCounterDataInfo_Params_STRUCT_SIZE;
  info.pCounterDataImage = counters_.data();
  info.counterDataImageSize = counters_.size();
  if (const CUptiResult result = api_.GetCounterDataInfo(&info); result != CUPTI_SUCCESS)
    return Failed("cuptiRangeProfilerGetCounterDataInfo", result);
  ranges->values.resize(info.numTotalRanges * plan_.raw.size(),
                        std::numeric_limits<double>::quiet_NaN());
  for (std::size_t range = 0; range < info.numTotalRanges; ++range) {
    CUpti_RangeProfiler_CounterData_GetRangeInfo_Params name = {};
    name.structSize = CUpti_RangeProfiler_CounterData_GetRangeInfo_Params_STRUCT_SIZE;
    name.pCounterDataImage = counters_.data();
    name.counterDataImageSize = counters_.size();
    name.rangeIndex = range;
    name.rangeDelimiter = "/";
    const bool is_named = api_.GetRangeInfo(&name) == CUPTI_SUCCESS && name.rangeName != nullptr;
    std::string text = is_named ? name.rangeName : "";
    // Of one that was pushed around it, "xsp/0".
    if (const std::size_t slash = text.rfind('/'); slash != std::string::npos)
      text.erase(0, slash + 1);
    ranges->names.push_back(std::move(text));
    CUpti_Profiler_Host_EvaluateToGpuValues_Params evaluate = {};
    evaluate.structSize = CUpti_Profiler_Host_EvaluateToGpuValues_Params_STRUCT_SIZE;
    evaluate.pHostObject = host_;
    evaluate.pCounterDataImage = counters_.data();
    evaluate.counterDataImageSize = counters_.size();
    evaluate.rangeIndex = range;
    evaluate.ppMetricNames = raw_names_.data();
    evaluate.numMetrics = raw_names_.size();
    evaluate.pMetricValues = ranges->values.data() + range * plan_.raw.size();
    if (const CUptiResult result = api_.HostEvaluateToGpuValues(&evaluate); result != CUPTI_SUCCESS)
      return Failed("cuptiProfilerHostEvaluateToGpuValues", result);
  }
  return {};
}

#undef XSP_SIZE_TO

#endif

}  // namespace xsp::record::cuda
