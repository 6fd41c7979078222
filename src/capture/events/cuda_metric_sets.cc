#include "capture/events/cuda_metric_sets.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "os/paths.h"
#include "os/published_table.h"

namespace xsp::events {
namespace {

std::vector<std::string> WordsBetween(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (;;) {
    const auto end = text.find(separator);
    std::string part(text.substr(0, end));
    part.erase(0, part.find_first_not_of(' '));
    part.erase(part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.push_back(std::move(part));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

}  // namespace

Result<std::vector<std::string>> CudaMetricSets(const std::filesystem::path& table) {
  XSP_TRY(const os::PublishedTable sheet,
          os::PublishedTable::Read(table, {"sets", "metric", "raw", "factor"}));
  std::vector<std::string> sets;
  for (const os::PublishedTable::Row& row : sheet.rows())
    for (std::string& set : WordsBetween(sheet.Text(row, "sets"), '+'))
      if (std::find(sets.begin(), sets.end(), set) == sets.end()) sets.push_back(std::move(set));
  return sets;
}

Status CheckCudaMetrics(std::string_view asked) {
  const auto own = os::Environment("XSP_RECORD_CUDA_METRICS_TABLE");
  XSP_TRY(const auto sets, CudaMetricSets(own ? std::filesystem::path(*own)
                                              : os::DataRoot() / "machine" / "cuda_metrics.csv"));
  const std::string hint =
      fmt::format("Sets are {}; raw names of the GPU's have \"__\" in them: {}",
                  fmt::join(sets, ", "), "sm__cycles_active.avg");
  const std::vector<std::string> names = WordsBetween(asked, ',');
  if (names.empty()) return Error{ErrorKind::kUsage, "no kernel metrics were named", hint};
  for (const std::string& name : names) {
    if (name.find("__") != std::string::npos) continue;
    if (std::find(sets.begin(), sets.end(), name) == sets.end())
      return Error{ErrorKind::kUsage, fmt::format("no such set of kernel metrics: {}", name), hint};
  }
  return Ok{};
}

}  // namespace xsp::events
