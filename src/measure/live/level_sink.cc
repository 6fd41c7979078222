#include "measure/live/level_sink.h"

#include <system_error>

#include "core/json_text.h"
#include "os/files.h"

namespace xsp::live {

namespace fs = std::filesystem;

fs::path LevelSink::WatchedFile(const fs::path& file) { return file.string() + ".watched"; }

bool LevelSink::wants_more() const {
  if (is_ending_) return false;
  std::error_code error;
  const fs::file_time_type touched = fs::last_write_time(WatchedFile(file_), error);
  return !error && fs::file_time_type::clock::now() - touched < kWatchTime;
}

void LevelSink::Write(LiveBatch& batch) {
  sums_.Add(batch);
  counts_.delivered += static_cast<std::int64_t>(batch.spans.size());
  has_changed_ = has_changed_ || !batch.spans.empty();
}

void LevelSink::Tick() {
  const auto now = std::chrono::steady_clock::now();
  if (!has_changed_ || now < next_) return;
  const Status written = os::WriteFileAtomically(file_, core::JsonText(sums_.ToJson()));
  if (!written.ok()) counts_.NoteProblem(written.error().what);
  has_changed_ = false;
  next_ = now + kInterval;
}

}  // namespace xsp::live
