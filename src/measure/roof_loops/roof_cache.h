#ifndef XSP_MEASURE_ROOF_LOOPS_ROOF_CACHE_H_
#define XSP_MEASURE_ROOF_LOOPS_ROOF_CACHE_H_

#include <filesystem>
#include <optional>
#include <string>

#include "derive/roofs/roof.h"
#include "os/processor.h"

namespace xsp::roof_loops {

/// What the figures hold for, in words: CPU model, cores, flags (as a hash), caches, kernel, and
/// the version of the measuring loops.
std::string MachineText(const os::Processor& processor, int cores, std::string_view kernel);

/// The cache file of a machine text: letters, digits and dashes, "some-cpu-2c-0f3a….json".
std::string CacheFileName(const os::Processor& processor, int cores, std::string_view machine);

/// The same for a device, "nvidia-h100-pcie-0f3a….json".
std::string CacheFileName(std::string_view name, std::string_view machine);

/// The report as one JSON object: measured_at, machine, conditions, disturbed, roofs (an array with
/// the fields of Roof; FLOP/s and byte/s).
std::string ToJson(const roofs::RoofReport& report);

/// A report that ToJson() wrote. Nothing when the text is damaged, of another machine than
/// `machine`, or holds a figure that cannot be.
std::optional<roofs::RoofReport> ReportFromJson(const std::string& text, std::string_view machine);

/// Holds `folder`/.lock until destroyed; other processes wait. Does nothing where it cannot.
class CacheLock {
 public:
  explicit CacheLock(const std::filesystem::path& folder);
  ~CacheLock();
  CacheLock(const CacheLock&) = delete;
  CacheLock& operator=(const CacheLock&) = delete;

 private:
  int file_;
};

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_ROOF_CACHE_H_
