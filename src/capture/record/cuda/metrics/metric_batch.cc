#include "capture/record/cuda/metrics/metric_batch.h"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "capture/record/process.h"

namespace xsp::record::cuda {
namespace {

constexpr std::string_view kProvenance = "measured:cupti";

xsp_string Details(const MeasuredLaunch& launch) {
  char text[256];
  const int length =
      std::snprintf(text, sizeof text,
                    "grid=[%u,%u,%u]\nblock=[%u,%u,%u]\ndynamic_shared_bytes=%u\ntimed_by=launch",
                    launch.grid[0], launch.grid[1], launch.grid[2], launch.block[0],
                    launch.block[1], launch.block[2], launch.dynamic_shared_bytes);
  return Intern({text, static_cast<std::size_t>(length)});
}

xsp_span Place(const MeasuredLaunch& launch, xsp_track track, xsp_string details, xsp_level level,
               std::string_view type, xsp_string name) {
  xsp_placement placement = {};
  placement.size = sizeof placement;
  placement.details = details;
  placement.track = track;
  placement.correlation_id = launch.correlation;
  placement.bytes = XSP_NO_BYTES;
  return xsp_complete_on(&placement, level, Intern(type), name, launch.start_ns,
                         launch.end_ns - launch.start_ns);
}

}  // namespace

std::vector<std::size_t> RangesInOrder(const std::vector<std::string>& names) {
  std::vector<std::size_t> order(names.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::uint64_t> numbers;
  for (const std::string& name : names) {
    std::uint64_t number = 0;
    const char* end = name.data() + name.size();
    const auto read = std::from_chars(name.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end) return order;
    numbers.push_back(number);
  }
  std::vector<std::size_t> by_number = order;
  std::stable_sort(by_number.begin(), by_number.end(),
                   [&](std::size_t a, std::size_t b) { return numbers[a] < numbers[b]; });
  for (std::size_t i = 1; i < by_number.size(); ++i)
    if (numbers[by_number[i]] == numbers[by_number[i - 1]]) return order;
  return by_number;
}

bool BatchRecorder::Record(const MetricPlan& plan, const std::vector<MeasuredLaunch>& launches,
                           const MeasuredRanges& ranges) {
  if (ranges.names.size() != launches.size() ||
      ranges.values.size() != launches.size() * plan.raw.size())
    return false;
  const std::vector<std::size_t> order = RangesInOrder(ranges.names);
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const MeasuredLaunch& launch = launches[i];
    Place(launch, Track(XSP_TRACK_THREAD, launch.thread, 0), 0, XSP_LEVEL_LIBRARY, "cuda_driver",
          Intern(launch.call));
    const xsp_span kernel =
        Place(launch, Track(XSP_TRACK_STREAM, launch.device, launch.stream), Details(launch),
              XSP_LEVEL_KERNEL, "kernel", KernelName(launch.kernel));
    for (const MetricValue& value :
         MakeValues(plan, ranges.values.data() + order[i] * plan.raw.size())) {
      xsp_metric(kernel, Intern(value.metric->name), value.value, Intern(value.metric->unit),
                 Intern(kProvenance));
    }
  }
  return true;
}

xsp_track BatchRecorder::Track(xsp_track_kind kind, std::uint32_t owner, std::int64_t stream) {
  const auto key = (static_cast<std::uint64_t>(kind) << 32) | owner;
  xsp_track& track = tracks_[{key, stream}];
  if (track == 0) track = xsp_make_track(kind, 0, owner, stream);
  return track;
}

/// The same text as ActivityDecoder makes of it: kernels of both runs are matched by name.
xsp_string BatchRecorder::KernelName(const std::string& mangled) {
  if (mangled.empty()) return Intern("unknown kernel");
  const auto it = kernel_names_.find(mangled);
  if (it != kernel_names_.end()) return it->second;
  int status = 0;
  char* demangled = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
  const xsp_string name = Intern(status == 0 && demangled != nullptr ? demangled : mangled.c_str());
  std::free(demangled);
  return kernel_names_.emplace(mangled, name).first->second;
}

}  // namespace xsp::record::cuda
