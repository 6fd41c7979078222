#include "measure/live/live_stream.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <ctime>
#include <exception>
#include <utility>

#include "os/signals_blocked.h"

namespace xsp::live {

LiveStream::LiveStream(std::unique_ptr<LiveReader> reader, std::unique_ptr<LiveSink> sink)
    : reader_(std::move(reader)), sink_(std::move(sink)) {
  StartThread([this] { Follow(); });
}

LiveStream::~LiveStream() { Stop(std::chrono::milliseconds(0)); }

void LiveStream::StartThread(std::function<void()> work) {
  has_ended_ = false;
  const os::SignalsBlocked blocked;  // SIGPIPE, too.
  thread_ = std::thread([this, work = std::move(work)] {
    std::string failure;
    try {
      work();
    } catch (const std::exception& exception) {
      failure = fmt::format("the stream ended early: {}", exception.what());
    } catch (...) {
      failure = "the stream ended early";
    }
    const std::lock_guard lock(mutex_);
    if (failure_.empty()) failure_ = std::move(failure);
    has_ended_ = true;
    changed_.notify_all();
  });
}

void LiveStream::EndThread(std::chrono::steady_clock::time_point deadline) {
  bool has_ended = false;
  {
    std::unique_lock lock(mutex_);
    has_ended = changed_.wait_until(lock, deadline, [this] { return has_ended_; });
  }
  if (!has_ended) sink_->Abort();
  thread_.join();
}

void LiveStream::Follow() {
  // Of this thread alone, as Linux has it. Without it the stream works as well.
  constexpr int kLowest = 19;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kLowest);
  LiveBatch batch;
  for (bool is_stopping = false; !is_stopping;) {
    const bool has_more = sink_->wants_more() && reader_->Read(batch);
    if (!batch.empty()) sink_->Write(batch);
    batch = {};
    sink_->Tick();
    std::unique_lock lock(mutex_);
    if (!has_more) changed_.wait_for(lock, kInterval, [this] { return is_stopping_; });
    is_stopping = is_stopping_;
  }
  struct timespec used = {};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used) == 0)
    cpu_s_ = static_cast<double>(used.tv_sec) + static_cast<double>(used.tv_nsec) * 1e-9;
}

void LiveStream::Drain() {
  LiveBatch batch;
  while (sink_->wants_more() && reader_->ReadLast(batch))
    if (!batch.empty()) sink_->Write(batch);
  sink_->Close();
}

const LiveCounts& LiveStream::Stop(std::chrono::milliseconds grace) {
  if (!thread_.joinable()) return sink_->counts();
  const auto deadline = std::chrono::steady_clock::now() + grace;
  sink_->EndAt(deadline);
  {
    const std::lock_guard lock(mutex_);
    is_stopping_ = true;
    changed_.notify_all();
  }
  EndThread(deadline);
  if (!failure_.empty()) return sink_->counts();
  // The program has ended: what is left needs no low priority, which could not be raised again.
  StartThread([this] { Drain(); });
  EndThread(deadline);
  return sink_->counts();
}

}  // namespace xsp::live
