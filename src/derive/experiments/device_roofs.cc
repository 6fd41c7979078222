#include "derive/experiments/device_roofs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "derive/roofs/device_table.h"

namespace xsp::experiments {

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
                 "`xsp system --device NAME` shows the roofs of a known one."};
  if (names.size() > 1)
    return Error{
        ErrorKind::kNotPossible,
        fmt::format("the trace names several kinds of devices: {}", fmt::join(names, ", ")), ""};
  roofs::RoofReport report;
  XSP_TRY(report.roofs, roofs::DataSheetRoofs(*names.begin()));
  return report;
}

}  // namespace xsp::experiments
