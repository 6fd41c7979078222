#ifndef XSP_RECORD_CUDA_SESSION_H_
#define XSP_RECORD_CUDA_SESSION_H_

#include <cupti.h>
#include <pthread.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "record/cuda/activity_decoder.h"
#include "record/cuda/buffer_pool.h"
#include "record/cuda/cupti_api.h"
#include "record/cuda/graph_captures.h"
#include "record/cuda/keep_file.h"

namespace xsp::record::cuda {

/// One kind of record that is asked for.
struct Activity {
  CUpti_ActivityKind kind;
  const char* what;
  xsp_level level;    ///< Recorded where this level is.
  bool is_essential;  ///< Its absence is a problem and not only a lack.
};

/// Everything that this library does in one process: it asks CUPTI for activity, decodes it on a
/// thread of its own, and puts it into the process's recording. What goes wrong is said in the
/// recording (ReportProblem), never on the program's streams, and never ends the program.
///
/// Lives until the process ends. A forked child does nothing: CUDA does not survive a fork.
class Session {
 public:
  /// Starts recording unless the environment asks for none. Called once, from any thread.
  static void Start();

  /// Has CUPTI record, or not: for calls in turns with and without its cost. It records from Start
  /// on. What was launched before must have finished. Returns what keeps device work from being
  /// recorded although it should be; empty: nothing. Any thread.
  static std::string Switch(bool on);

 private:
  Session() = default;

  bool Attach();
  bool SubscribeAlone();
  bool SubscribeShared();
  CUptiResult TryShared();
  void GiveUpSeat();
  void SetClock();
  void EnableCallbacks();
  void EnableActivities();
  bool IsWanted(const Activity& activity) const;
  CUptiResult Enable(CUpti_ActivityKind kind);
  CUptiResult Disable(CUpti_ActivityKind kind);
  void LeaveOutCalls();
  bool StartThread();

  void Work();
  void DecodeBuffer(const BufferPool::Filled& filled);
  void ReportDrops();
  void ReportCounts();
  void Flush(bool forced);
  void Stop();
  std::int64_t MeasureClockOffset() const;

  void OnCallback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data);
  void OnResource(CUpti_CallbackId id, const void* data);
  static void CUPTIAPI Callback(void* session, CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                const void* data);
  static void CUPTIAPI RequestBuffer(std::uint8_t** buffer, std::size_t* size,
                                     std::size_t* most_records);
  static void CUPTIAPI CompleteBuffer(CUcontext context, std::uint32_t stream, std::uint8_t* buffer,
                                      std::size_t size, std::size_t valid);
  static void CUPTIAPI RequestBufferShared(std::uint8_t** buffer, std::size_t* size,
                                           std::size_t* most_records, void* info);
  static void CUPTIAPI CompleteBufferShared(std::uint8_t* buffer, std::size_t size,
                                            std::size_t valid, void* info);
  static void* ThreadMain(void* session);
  static void AtExit();
  static void AfterForkInChild();

  CuptiApi api_;
  CUpti_SubscriberHandle subscriber_ = nullptr;
  bool is_shared_ = false;        ///< Other subscribers may be there: only their own *_v2 calls do.
  bool own_clock_ = false;        ///< CUPTI reads CLOCK_MONOTONIC through us.
  bool numbers_threads_ = false;  ///< By the system's numbers.
  bool has_enabled_ = false;      ///< Once: what is refused is said once.
  BufferPool pool_;
  GraphCaptures captures_;
  std::unique_ptr<ActivityDecoder> decoder_;  ///< Of the thread.
  std::unique_ptr<KeepWriter> keep_;          ///< Of the thread.
  std::vector<std::uint32_t> offsets_;        ///< Of the thread.
  std::uint64_t dropped_ = 0;                 ///< Of the thread.
  std::mutex end_mutex_;
  std::condition_variable ended_;
  std::atomic<bool> stopping_{false};
  std::atomic<bool> flush_now_{false};
  bool has_ended_ = false;  ///< Under end_mutex_: the thread has.
};

}  // namespace xsp::record::cuda

#endif  // XSP_RECORD_CUDA_SESSION_H_
