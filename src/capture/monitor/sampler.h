#ifndef XSP_CAPTURE_MONITOR_SAMPLER_H_
#define XSP_CAPTURE_MONITOR_SAMPLER_H_

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/machine_files.h"

namespace xsp::monitor {

/// One series that a sampler has: a number of one part of the machine, in one unit.
struct Channel {
  std::string name;          ///< "cpu.busy_share": the sampler's name, then what; fixed for ever.
  std::string unit;          ///< "1", byte, byte/s, watt, Hz or celsius.
  std::string part;          ///< "cpu 0", "disk sda", "gpu 1"; empty: the whole machine.
  std::int64_t device = -1;  ///< Ordinal of the GPU that the part is; -1: it is none.
  /// The source cannot be asked at every sample: a sample without a value is no loss.
  bool sparse = false;
};

/// What this machine does not show, and why: never a zero.
struct Hidden {
  std::string name;  ///< As Channel::name; of several that are missing together, the sampler's.
  std::string why;   ///< "no /sys/class/powercap here"
};

/// A value that is not known at this sample.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// Reads numbers of one part of the machine again and again. Opens its files once, keeps them open,
/// and allocates nothing in Sample() once it has seen files of their usual size.
///
/// Threading: one thread at a time.
class Sampler {
 public:
  virtual ~Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  /// Both are fixed from the start.
  std::span<const Channel> channels() const { return channels_; }
  std::span<const Hidden> hidden() const { return hidden_; }

  /// Reads now. `values`: one of each channel, filled with kUnknown by the caller. Rates and shares
  /// are of the time since the sample before (so the first has none); the others are of this
  /// moment. `now_ns`: CLOCK_MONOTONIC, read just before.
  virtual void Sample(std::int64_t now_ns, std::span<double> values) = 0;

 protected:
  Sampler() = default;

  /// Adds a channel and returns its index.
  std::size_t Add(Channel channel) {
    channels_.push_back(std::move(channel));
    return channels_.size() - 1;
  }
  void Hide(std::string name, std::string why) {
    hidden_.push_back({std::move(name), std::move(why)});
  }

 private:
  std::vector<Channel> channels_;
  std::vector<Hidden> hidden_;
};

/// A part of the machine that can be sampled. Static data.
struct SamplerSpec {
  std::string_view name;     ///< Stable id, snake_case; the folder's name and the first word of its
                             ///< channels.
  std::string_view summary;  ///< One line, no full stop.

  /// Opens what it needs in the machine of `files`. Never null, never fails: what is not there is
  /// hidden().
  std::unique_ptr<Sampler> (*open)(const collect::MachineFiles& files);
};

/// Every sampler of this build, by folder name. Generated (cmake/XspModule.cmake).
std::span<const SamplerSpec* const> AllSamplers();

}  // namespace xsp::monitor

namespace xsp {
using monitor::SamplerSpec;
}  // namespace xsp

#endif  // XSP_CAPTURE_MONITOR_SAMPLER_H_
