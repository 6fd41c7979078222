#include "derive/experiments/device_roofs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "derive/roofs/device_table.h"

namespace xsp::experiments {
namespace {

using roofs::NamedRoofs;

/// The GPU of a machine that a trace was recorded on. Null: it has none, or the trace tells not
/// which.
const NamedRoofs* FindGpu(const std::vector<NamedRoofs>& named,
                          const std::set<std::string>& devices) {
  const NamedRoofs* found = nullptr;
  bool is_one_kind = true;
  for (const NamedRoofs& one : named) {
    if (one.processor != NamedRoofs::Processor::kGpu) continue;
    if (devices.size() == 1 && devices.contains(one.name)) return &one;
    is_one_kind = is_one_kind && (found == nullptr || found->name == one.name);
    if (found == nullptr) found = &one;
  }
  return is_one_kind ? found : nullptr;
}

std::string NamesOf(const std::vector<NamedRoofs>& named) {
  std::vector<std::string> names;
  for (const NamedRoofs& one : named) names.push_back(one.name.empty() ? "unnamed" : one.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool HasDeviceKernels(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    if (spans.level[i] == trace::Level::kKernel &&
        trace.Text(spans.type[i]) == trace::type::kKernel)
      return true;
  }
  return false;
}

std::set<std::string> DeviceNames(const trace::Trace& trace) {
  std::set<std::string> names;
  for (const auto& [key, value] : trace.facts) {
    const bool of_device = key.find("deviceProperties.") != std::string::npos ||
                           key.find("cuda.device.") != std::string::npos;
    if (of_device && key.ends_with(".name") && !value.empty()) names.insert(value);
  }
  return names;
}

Result<roofs::RoofReport> RoofsOfDevice(const std::set<std::string>& names) {
  if (names.empty())
    return Error{ErrorKind::kNotPossible, "the trace does not name its device",
                 "Name it by --device NAME, or its roofs by --roofs FILE."};
  if (names.size() > 1)
    return Error{
        ErrorKind::kNotPossible,
        fmt::format("the trace names several kinds of devices: {}", fmt::join(names, ", ")), ""};
  roofs::RoofReport report;
  XSP_TRY(report.roofs, roofs::DataSheetRoofs(*names.begin()));
  return report;
}

Result<std::vector<NamedRoofs>> ReadNamedRoofs(const RoofSource& source) {
  if (!source.device.empty() && !source.file.empty())
    return Error{ErrorKind::kUsage, "roofs are named by a device and by a file", "Name one."};
  if (!source.file.empty()) return roofs::ReadRoofFile(source.file);
  if (source.device.empty()) return std::vector<NamedRoofs>();
  XSP_TRY(NamedRoofs named, roofs::DataSheetOf(source.device));
  return std::vector<NamedRoofs>{std::move(named)};
}

Result<std::optional<roofs::RoofReport>> RoofsOfTrace(const std::vector<NamedRoofs>& named,
                                                      bool on_device,
                                                      const std::set<std::string>& devices) {
  if (named.empty()) {
    if (!on_device) return std::optional<roofs::RoofReport>();
    XSP_TRY(roofs::RoofReport report, RoofsOfDevice(devices));
    return std::optional(std::move(report));
  }
  if (named.front().processor == NamedRoofs::Processor::kNamed)
    return std::optional(named.front().report);
  if (on_device) {
    if (const NamedRoofs* gpu = FindGpu(named, devices)) return std::optional(gpu->report);
  } else if (named.front().processor == NamedRoofs::Processor::kCpu) {
    return std::optional(named.front().report);
  }
  return Error{
      ErrorKind::kBadInput,
      fmt::format(
          "the file has no roofs of the trace's {}{}; it has those of: {}",
          on_device ? "GPU" : "CPU",
          devices.empty() || !on_device ? "" : fmt::format(" ({})", fmt::join(devices, ", ")),
          NamesOf(named)),
      "Name the device by --device NAME instead."};
}

}  // namespace xsp::experiments
