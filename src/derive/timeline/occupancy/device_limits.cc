#include "derive/timeline/occupancy/device_limits.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace xsp::timeline::occupancy {
namespace {

/// One row of the table of technical specifications.
struct Generation {
  std::string_view compute_capability;
  std::int64_t threads, blocks, shared_kib;
};
constexpr std::array kGenerations = {
    Generation{"7.0", 2048, 32, 96},   Generation{"7.2", 2048, 32, 96},
    Generation{"7.5", 1024, 16, 64},   Generation{"8.0", 2048, 32, 164},
    Generation{"8.6", 1536, 16, 100},  Generation{"8.7", 1536, 16, 164},
    Generation{"8.9", 1536, 24, 100},  Generation{"9.0", 2048, 32, 228},
    Generation{"10.0", 2048, 32, 228}, Generation{"10.3", 2048, 32, 228},
    Generation{"12.0", 1536, 24, 100}, Generation{"12.1", 1536, 24, 100},
};

std::optional<std::int64_t> NumberOf(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

/// What the facts say of one device, whichever profiler wrote them.
struct Stated {
  std::int64_t ordinal = 0;
  std::int64_t multiprocessors = 0, warp_threads = 32;
  std::string compute_capability, major, minor;
  std::optional<std::int64_t> threads, registers, shared_bytes;

  void Take(std::string_view field, const std::string& value) {
    const auto number = NumberOf(value);
    if (field == "computeMajor") major = value;
    if (field == "computeMinor") minor = value;
    if (field == "compute_capability") compute_capability = value;
    if (!number) return;
    if (field == "id") ordinal = *number;
    if (field == "numSms" || field == "multiprocessors") multiprocessors = *number;
    if (field == "warpSize") warp_threads = *number;
    if (*number <= 0) return;
    if (field == "maxThreadsPerMultiprocessor") threads = number;
    if (field == "regsPerMultiprocessor") registers = number;
    if (field == "sharedMemPerMultiprocessor") shared_bytes = number;
  }

  DeviceProperties Properties() const {
    DeviceProperties properties{multiprocessors, std::nullopt};
    // AMD states the version of its architecture as a compute capability, too.
    if (warp_threads != 32) return properties;
    properties.limits =
        LimitsOf(compute_capability.empty() ? major + "." + minor : compute_capability);
    if (!properties.limits) return properties;
    MultiprocessorLimits& limits = *properties.limits;
    limits.threads = threads.value_or(limits.threads);
    limits.registers = registers.value_or(limits.registers);
    limits.shared_bytes = shared_bytes.value_or(limits.shared_bytes);
    return properties;
  }
};

}  // namespace

std::optional<MultiprocessorLimits> LimitsOf(std::string_view compute_capability) {
  const auto* const found =
      std::ranges::find(kGenerations, compute_capability, &Generation::compute_capability);
  if (found == kGenerations.end()) return std::nullopt;
  const bool is_before_ampere = compute_capability < "8" && compute_capability.find('.') == 1;
  return MultiprocessorLimits{.threads = found->threads,
                              .blocks = found->blocks,
                              .registers = 65536,
                              .shared_bytes = found->shared_kib * 1024,
                              .shared_unit_bytes = is_before_ampere ? 256 : 128,
                              .reserved_shared_bytes = is_before_ampere ? 0 : 1024};
}

DeviceIndex::DeviceIndex(const trace::Trace& trace) {
  std::map<std::string, Stated, std::less<>> stated;  // By the key without the field.
  for (const auto& [key, value] : trace.facts) {
    for (const std::string_view mark : {"deviceProperties.", "cuda.device."}) {
      const std::size_t at = key.find(mark);
      if (at == std::string::npos) continue;
      const std::string_view rest = std::string_view(key).substr(at + mark.size());
      const std::size_t dot = rest.find('.');
      const auto index = NumberOf(rest.substr(0, dot));
      if (dot == std::string_view::npos || !index) continue;
      const auto [device, is_new] =
          stated.try_emplace(key.substr(0, at + mark.size() + dot), Stated{});
      if (is_new) device->second.ordinal = *index;
      device->second.Take(rest.substr(dot + 1), value);
    }
  }
  for (const auto& [key, device] : stated) {
    if (device.multiprocessors <= 0) continue;
    const DeviceProperties properties = device.Properties();
    if (!by_ordinal_.empty())
      is_one_kind_ = is_one_kind_ && properties == by_ordinal_.begin()->second;
    by_ordinal_.insert_or_assign(device.ordinal, properties);
  }
}

const DeviceProperties* DeviceIndex::Find(std::int64_t ordinal) const {
  if (const auto it = by_ordinal_.find(ordinal); it != by_ordinal_.end()) return &it->second;
  return is_one_kind_ && !by_ordinal_.empty() ? &by_ordinal_.begin()->second : nullptr;
}

}  // namespace xsp::timeline::occupancy
