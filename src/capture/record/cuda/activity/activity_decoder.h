#ifndef XSP_CAPTURE_RECORD_CUDA_ACTIVITY_ACTIVITY_DECODER_H_
#define XSP_CAPTURE_RECORD_CUDA_ACTIVITY_ACTIVITY_DECODER_H_

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/wire/xsp.h"

namespace xsp::record::cuda {

/// What was left out, and why.
struct DecoderCounts {
  std::uint64_t records = 0;    ///< All that were handed over.
  std::uint64_t unknown = 0;    ///< Of a kind that is not recorded.
  std::uint64_t cut = 0;        ///< Shorter than their kind: another layout, or damage.
  std::uint64_t untimed = 0;    ///< Kernels, copies and calls without a time: never finished.
  std::uint64_t placeless = 0;  ///< Waits whose context is not known, and overhead of nobody.
};

/// Turns activity records of CUPTI into spans and counters of this process's recording.
///
/// Device work lies on streams, calls on the threads that made them; both carry CUPTI's correlation
/// id. Layouts: CUDA 12.0 to 13.x; the fields that are read have the same offsets in all of these
/// (checked while compiling), later ones have more behind them. One thread.
class ActivityDecoder {
 public:
  /// The name of a CUDA function by domain and number; empty: not known.
  using CallbackNames = std::function<std::string(CUpti_CallbackDomain, CUpti_CallbackId)>;

  /// `waits_for_calls`: recording may be held for a while, so device work is kept back until the
  /// call that launched it has been decoded (see Settle). It counts where its call did: what a
  /// range launched belongs to the range, however late it runs.
  explicit ActivityDecoder(CallbackNames names, bool waits_for_calls = false)
      : callback_names_(std::move(names)),
        waits_for_calls_(waits_for_calls),
        launches_(kRememberedLaunches) {}

  /// What to add to CUPTI's times to get CLOCK_MONOTONIC ns; 0 at first.
  void SetClockOffset(std::int64_t offset_ns) { offset_ns_ = offset_ns; }

  /// One record; `bytes`: from its start to the end of the data, or to the next record.
  void Decode(const void* record, std::size_t bytes);

  /// Places the device work whose calls have come since, and what has been kept back over two
  /// earlier calls of this function; `all`: everything. Work whose call never comes counts by its
  /// own start. Likewise waits for events, and those in a context that is not known: neither
  /// records nor buffers come in order, so that what says where they belong may come after them.
  void Settle(bool all);

  const DecoderCounts& counts() const { return counts_; }

 private:
  /// Calls in a row whose kernels still get the time of their launch; 1 MiB.
  static constexpr std::size_t kRememberedLaunches = 1 << 16;
  /// Calls of Settle over which something is kept back.
  static constexpr std::uint32_t kRoundsOfPatience = 2;

  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  using TextIds = std::unordered_map<std::string, xsp_string, TextHash, std::equal_to<>>;
  /// What kernels, copies and sets have in common.
  struct Work {
    std::uint32_t device = 0, context = 0, stream = 0;
    std::uint64_t start = 0, end = 0, correlation = 0, graph_node = 0, bytes = XSP_NO_BYTES;
    xsp_string details = 0;
  };
  struct Launch {
    std::uint64_t correlation = 0, start = 0;
  };
  struct PendingWork {
    Work work;
    xsp_string type, name;
    std::uint32_t round;
  };

  struct Wait {
    std::uint32_t context, stream, event, correlation, type, round;
    std::uint64_t start, end;
  };
  /// One call that recorded an event.
  struct EventRecord {
    std::uint32_t stream, round;
  };
  /// Its calls by correlation id, which count up.
  using EventRecords = std::map<std::uint32_t, EventRecord>;

  void Kernel(const void* record);
  void Memcpy(const void* record);
  void PeerMemcpy(const void* record);
  void Memset(const void* record);
  void Call(const void* record, CUpti_CallbackDomain domain, xsp_string type);
  void Synchronisation(const void* record);
  void Event(const void* record);
  void Overhead(const void* record);
  void Memory(const void* record);
  void Device(const void* record);
  void AddWork(const Work& work, xsp_string type, xsp_string name);
  void PlaceWork(const Work& work, xsp_string type, xsp_string name, std::uint64_t launched);
  void SettleWaits(bool all);
  void PlaceWait(const Wait& wait);
  void ForgetEvents();
  /// On which the event lay that the wait is for: of the last call that recorded it before.
  std::optional<std::uint32_t> AwaitedStream(const Wait& wait) const;
  /// When the call of that correlation id began, CUPTI's ns; 0: not seen, or too long ago.
  std::uint64_t LaunchOf(std::uint64_t correlation) const;
  /// `decided`: CUPTI's time by which it is recorded or not; 0: its start.
  void Place(xsp_track track, const Work& what, std::uint64_t decided, xsp_level level,
             xsp_string type, xsp_string name);
  xsp_track Track(xsp_track_kind kind, std::uint32_t owner);
  /// Streams are numbered within their context: those of a device's later contexts have a name.
  xsp_track StreamTrack(std::uint32_t device, std::uint32_t context, std::int64_t stream);
  xsp_string KernelName(const char* mangled);
  xsp_string CallName(CUpti_CallbackDomain domain, CUpti_CallbackId id);

  CallbackNames callback_names_;
  const bool waits_for_calls_;
  std::int64_t offset_ns_ = 0;
  std::vector<Launch> launches_;  // By correlation id, modulo its size: ids are consecutive.
  std::vector<PendingWork> pending_;
  std::vector<Wait> waits_;  // Kept back.
  std::uint32_t round_ = 0;
  DecoderCounts counts_;
  TextIds kernel_names_;  // By mangled name.
  struct CallId {
    xsp_string name;
    bool is_left_out;
  };
  std::map<std::pair<int, std::uint32_t>, CallId> calls_;
  std::map<std::pair<int, std::uint32_t>, xsp_track> tracks_;
  /// By device, context and stream.
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, xsp_track> stream_tracks_;
  std::unordered_map<std::uint32_t, std::uint32_t> first_context_;  // By device.
  std::unordered_map<std::uint32_t, std::uint32_t> device_of_context_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, EventRecords> events_;  // By context and event.
  std::unordered_map<std::uint32_t, double> allocated_bytes_;               // By device.
};

/// Calls that neither launch, move, wait nor allocate, and come several to each that does: they are
/// not recorded. Names as CUPTI has them, without "_v3020".
bool IsLeftOut(std::string_view call);

/// "cudaLaunchKernel" of "cudaLaunchKernel_v7000", whose number is the version of the signature,
/// and of "cudaLaunchKernel_ptsz_v7000", which is called where each thread has a default stream.
/// The driver has them the other way round: "cuMemcpyHtoD_v2_ptds".
std::string PlainName(std::string name);

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_ACTIVITY_ACTIVITY_DECODER_H_
