#ifndef XSP_CAPTURE_RECORD_CUDA_SESSION_H_
#define XSP_CAPTURE_RECORD_CUDA_SESSION_H_

#include <cupti.h>
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "capture/record/cuda/activity/activity_decoder.h"
#include "capture/record/cuda/activity/buffer_pool.h"
#include "capture/record/cuda/activity/capture_file.h"
#include "capture/record/cuda/activity/graph_captures.h"
#include "capture/record/cuda/cupti/cupti_api.h"
#include "capture/record/cuda/cupti/subscription.h"
#include "capture/record/cuda/cupti/watched_calls.h"

namespace xsp::record::cuda {

/// One kind of record that is asked for.
struct Activity {
  CUpti_ActivityKind kind;
  const char* what;
  xsp_level level;    ///< Recorded where this level is.
  bool is_essential;  ///< Its absence is a problem and not only a lack.
};

/// Everything that this library does in one process: it asks CUPTI for activity, decodes it on a
/// thread of its own, and puts it into the process's recording. What goes wrong is reported in the
/// recording (ReportProblem), never on the program's streams, and never ends the program.
///
/// Lives until the process ends. A forked child does nothing: CUDA does not survive a fork.
class Session {
 public:
  /// Starts recording unless the environment asks for none. Called once, from any thread.
  static void Start();

  /// Has CUPTI record, or not: for alternating calls with and without its overhead. It records from
  /// Start on. What was launched before must have finished. Returns what keeps device work from
  /// being recorded although it should be; empty: nothing. Any thread.
  static std::string Switch(bool on);

 private:
  explicit Session(CuptiApi api) : subscription_(std::move(api)) {}

  const CuptiApi& api() const { return subscription_.api(); }
  bool Attach();
  void EnableCallbacks();
  void EnableActivities();
  bool IsWanted(const Activity& activity) const;
  void LeaveOutCalls();
  bool StartThread();

  void Work();
  void DecodeBuffer(const BufferPool::Filled& filled);
  void ReportDrops();
  void ReportCounts();
  void Flush(bool forced);  ///< Any thread, in callbacks only of runtime and driver calls.
  void FlushSoon();         ///< The thread does it; any callback.
  void Stop();
  std::int64_t MeasureClockOffset() const;

  void OnCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);
  void OnResource(CUpti_CallbackId id, const void* data);
  void OnCall(CallRole role, CUpti_ApiCallbackSite site);
  void OnFatalError(CUptiResult result, const char* message);
  static void CUPTIAPI Callback(void* session, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data);
  static void CUPTIAPI RequestBuffer(std::uint8_t** buffer, std::size_t* size,
                                     std::size_t* most_records);
  static void CUPTIAPI CompleteBuffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                      std::size_t size, std::size_t valid);
  // As calls that name their subscriber have them (CuptiSubscription).
  static void CUPTIAPI RequestBufferNamed(std::uint8_t** buffer, std::size_t* size,
                                          std::size_t* most_records, void* info);
  static void CUPTIAPI CompleteBufferNamed(std::uint8_t* buffer, std::size_t size,
                                           std::size_t valid, void* info);
  static void* ThreadMain(void* session);
  static void AtExit();
  static void AfterForkInChild();

  CuptiSubscription subscription_;
  std::vector<std::pair<CUpti_CallbackDomain, CUpti_CallbackId>> left_out_;  ///< See LeaveOutCalls.
  bool has_enabled_ = false;  ///< Once: what is refused is reported once.
  BufferPool pool_;
  GraphCaptures captures_;
  std::unique_ptr<ActivityDecoder> decoder_;         ///< Of the thread.
  std::unique_ptr<CaptureFileWriter> capture_file_;  ///< Of the thread.
  std::vector<std::uint32_t> offsets_;               ///< Of the thread.
  std::uint64_t dropped_ = 0;                        ///< Of the thread.
  bool told_unread_ = false;                         ///< Of the thread.
  std::mutex end_mutex_;
  std::condition_variable ended_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> flush_now_{false};
  std::atomic<bool> told_flush_{false};
  std::atomic<bool> has_failed_{false};  ///< CUPTI has shut itself down.
  bool has_ended_ = false;               ///< Under end_mutex_: the thread has.
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_SESSION_H_
