#include "measure/roof_loops/roof_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cctype>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/json_text.h"
#include "derive/roofs/json_member.h"
#include "derive/roofs/roof_json.h"

namespace xsp::roof_loops {

using nlohmann::json;

namespace {

// Raise it when a loop, a working set or the JSON changes: cached figures are then measured anew.
constexpr int kMeasuringVersion = 2;

std::uint64_t Fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string MachineText(const os::Processor& processor, int cores, std::string_view kernel) {
  std::string flags;
  for (const std::string& flag : processor.flags) flags += flag + ' ';
  std::string caches;
  for (int level = 1; level <= 4; ++level) {
    if (const os::Cache* cache = processor.DataCache(level)) {
      caches += fmt::format(", L{} {} KiB for {}", level, cache->size_bytes / 1024,
                            cache->shared_by.size());
    }
  }
  return fmt::format("{}, {} cores used{}, flags {:016x}, kernel {}, measuring {}", processor.model,
                     cores, caches, Fnv1a(flags), kernel, kMeasuringVersion);
}

std::string CacheFileName(std::string_view name, std::string_view machine) {
  std::string file;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0) {
      file += static_cast<char>(std::tolower(byte));
    } else if (!file.empty() && file.back() != '-') {
      file += '-';
    }
  }
  while (!file.empty() && file.back() == '-') file.pop_back();
  return fmt::format("{}-{:016x}.json", file.empty() ? "cpu" : file.substr(0, 72), Fnv1a(machine));
}

std::string CacheFileName(const os::Processor& processor, int cores, std::string_view machine) {
  return CacheFileName(
      fmt::format("{}-{}c", processor.model.empty() ? "cpu" : processor.model, cores), machine);
}

std::string ToJson(const roofs::RoofReport& report) {
  json rows = json::array();
  for (const roofs::Roof& roof : report.roofs) rows.push_back(roofs::ToJson(roof));
  const json object = {{"measured_at", report.measured_at},
                       {"machine", report.machine},
                       {"conditions", report.conditions},
                       {"disturbed", report.disturbed},
                       {"roofs", std::move(rows)}};
  // A CPU's name comes from the machine: bytes that are no UTF-8 are replaced.
  return core::JsonText(object, 2) + "\n";
}

std::optional<roofs::RoofReport> ReportFromJson(const std::string& text, std::string_view machine) {
  const json object = core::ParseJson(text);
  roofs::RoofReport report;
  if (!object.is_object() || !roofs::TakeMember(object, "measured_at", report.measured_at) ||
      !roofs::TakeMember(object, "machine", report.machine) ||
      !roofs::TakeMember(object, "conditions", report.conditions) ||
      !roofs::TakeMember(object, "disturbed", report.disturbed) || report.machine != machine) {
    return std::nullopt;
  }
  const auto roofs = object.find("roofs");
  if (roofs == object.end() || !roofs->is_array() || roofs->empty()) return std::nullopt;
  for (const json& row : *roofs) {
    auto roof = roofs::RoofFromJson(row);
    if (!roof) return std::nullopt;
    report.roofs.push_back(*std::move(roof));
  }
  return report;
}

CacheLock::CacheLock(const std::filesystem::path& folder)
    : file_(open((folder / ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)) {
  if (file_ >= 0) static_cast<void>(flock(file_, LOCK_EX));
}

CacheLock::~CacheLock() {
  if (file_ >= 0) close(file_);
}

}  // namespace xsp::roof_loops
