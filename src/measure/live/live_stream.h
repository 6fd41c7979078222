#ifndef XSP_MEASURE_LIVE_LIVE_STREAM_H_
#define XSP_MEASURE_LIVE_LIVE_STREAM_H_

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "measure/live/live_reader.h"
#include "measure/live/live_sink.h"

namespace xsp::live {

/// A thread that carries spans from recordings to a sink while programs write them. It has the
/// lowest priority (nice 19) until the programs have ended, takes no signals and only reads the
/// files. While the sink blocks it reads nothing: what waits is in the recording, not in memory.
class LiveStream {
 public:
  static constexpr std::chrono::milliseconds kInterval{250};  ///< Between two looks.

  LiveStream(std::unique_ptr<LiveReader> reader, std::unique_ptr<LiveSink> sink);
  /// Stops without time for what is left.
  ~LiveStream();
  LiveStream(const LiveStream&) = delete;
  LiveStream& operator=(const LiveStream&) = delete;

  /// To be called when the programs have ended. Delivers what is left for at most `grace` and
  /// counts the rest as dropped.
  const LiveCounts& Stop(std::chrono::milliseconds grace);

  /// Once stopped: what ended the stream before its time; empty: nothing.
  const std::string& failure() const { return failure_; }

  /// Once stopped: CPU time that it took while the programs ran.
  double cpu_s() const { return cpu_s_; }

  /// Once stopped: as LiveReader::lost().
  std::uint64_t lost() const { return reader_->lost(); }

 private:
  void StartThread(std::function<void()> work);
  /// Ends what blocks the thread at `deadline`.
  void EndThread(std::chrono::steady_clock::time_point deadline);
  void Follow();
  void Drain();

  const std::unique_ptr<LiveReader> reader_;
  const std::unique_ptr<LiveSink> sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool is_stopping_ = false, has_ended_ = false;
  std::string failure_;
  double cpu_s_ = 0;
  std::thread thread_;
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LIVE_STREAM_H_
