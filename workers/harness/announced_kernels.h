#ifndef XSP_WORKERS_HARNESS_ANNOUNCED_KERNELS_H_
#define XSP_WORKERS_HARNESS_ANNOUNCED_KERNELS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"

namespace xsp::worker {

/// A layer that was recorded after the call, CLOCK_MONOTONIC ns.
struct RecordedLayer {
  xsp_span span;
  std::uint64_t start_ns, end_ns;
};

/// A primitive that oneDNN or MKL announced during the call.
struct AnnouncedKernel {
  xsp_string kind;
  std::uint64_t start_ns, end_ns;
  std::string line;
};

constexpr std::size_t kNoLayer = static_cast<std::size_t>(-1);

struct Placement {
  std::size_t layer = kNoLayer;  ///< Index into the layers.
  bool ambiguous = false;        ///< Another layer that ran at the same time would do as well.
};

/// The layer that each kernel ran in: of those that share at least half of its time, the one that
/// it fills best (layers of parallel branches overlap; the shorter of two that hold a kernel has
/// less time left over). Of a kernel without time, the layers that hold its end. `layers` in any
/// order. O((n + m) log m) while few layers overlap.
std::vector<Placement> PlaceKernels(std::span<const AnnouncedKernel> kernels,
                                    std::span<const RecordedLayer> layers);

/// Keeps what the CPU capture takes (capture/record/cpu_capture.h) until the layers are known. One
/// per process; Start, Stop and File from one thread, kernels from any.
///
/// Frameworks whose profiler tells of its operators after the call need it: when a primitive is
/// announced there is no open layer on its thread.
class AnnouncedKernels {
 public:
  /// Starts the capture, which then hands over to this class for the rest of the process.
  static void Start();

  /// Whether kernels are kept from now on. While they are not, the lines are still swallowed: a
  /// library whose verbose mode cannot be switched off goes on printing.
  static void Keep(bool keep);

  /// Records the kernels since the last time, each inside its layer, or inside `call` where no
  /// layer ran. Those in doubt get the attribute `placement` = `ambiguous`.
  static void File(xsp_span call, std::span<const RecordedLayer> layers);

  /// Writes the facts cpu_capture.kernels, cpu_capture.other_lines, cpu_capture.truncated_lines,
  /// cpu_capture.ambiguous and cpu_capture.outside_layers of the process so far.
  static void RecordFacts();
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_ANNOUNCED_KERNELS_H_
