#ifndef XSP_MEASURE_LIVE_LEVEL_SINK_H_
#define XSP_MEASURE_LIVE_LEVEL_SINK_H_

#include <atomic>
#include <chrono>
#include <filesystem>

#include "measure/live/level_sums.h"
#include "measure/live/live_sink.h"

namespace xsp::live {

/// Keeps a file with LevelSums of what is recorded, for who looks on. Who looks on touches
/// WatchedFile() now and then: without that nothing is read, because reading takes time of the
/// machine that measures. What comes too late for the file is in the stored run.
class LevelSink final : public LiveSink {
 public:
  static constexpr std::chrono::milliseconds kInterval{500};  ///< Between two files, at least.
  static constexpr std::chrono::seconds kWatchTime{10};       ///< After a touch.

  static std::filesystem::path WatchedFile(const std::filesystem::path& file);

  explicit LevelSink(std::filesystem::path file) : file_(std::move(file)) {}

  bool wants_more() const override;
  void Write(LiveBatch& batch) override;
  void Tick() override;
  void EndAt(std::chrono::steady_clock::time_point) override { is_ending_ = true; }

 private:
  const std::filesystem::path file_;
  std::atomic<bool> is_ending_ = false;
  LevelSums sums_;
  bool has_changed_ = false;
  std::chrono::steady_clock::time_point next_ = {};
};

}  // namespace xsp::live

#endif  // XSP_MEASURE_LIVE_LEVEL_SINK_H_
