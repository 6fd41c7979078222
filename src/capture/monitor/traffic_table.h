#ifndef XSP_CAPTURE_MONITOR_TRAFFIC_TABLE_H_
#define XSP_CAPTURE_MONITOR_TRAFFIC_TABLE_H_

#include <string>
#include <string_view>
#include <vector>

#include "capture/monitor/rate.h"

namespace xsp::monitor {

/// Parts of a machine (disks, interfaces) that one text counts in both directions, a line each.
/// A part that has no line any more has no value, and none at the first sample after it is back.
class TrafficTable {
 public:
  /// `in_channel`, `out_channel`: indices among the sampler's channels.
  void AddPart(std::string_view name, std::size_t in_channel, std::size_t out_channel) {
    parts_.push_back({std::string(name), in_channel, out_channel, {}, {}, {}, {}});
  }

  /// What a line says of `name`; a name that is no part is passed over.
  void Set(std::string_view name, std::optional<std::uint64_t> in,
           std::optional<std::uint64_t> out) {
    for (Part& part : parts_) {
      if (part.name != name) continue;
      part.in = in;
      part.out = out;
      return;
    }
  }

  /// Rates in units of the counters times `factor` per second, of all that was Set() since the
  /// call before.
  void Rates(std::int64_t now_ns, double factor, std::span<double> values) {
    for (Part& part : parts_) {
      values[part.in_channel] = part.in_rate.Advance(part.in, now_ns) * factor;
      values[part.out_channel] = part.out_rate.Advance(part.out, now_ns) * factor;
      part.in.reset();
      part.out.reset();
    }
  }

 private:
  struct Part {
    std::string name;
    std::size_t in_channel, out_channel;
    std::optional<std::uint64_t> in, out;
    Rate in_rate, out_rate;
  };
  std::vector<Part> parts_;
};

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_TRAFFIC_TABLE_H_
