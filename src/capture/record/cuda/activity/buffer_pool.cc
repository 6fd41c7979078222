#include "capture/record/cuda/activity/buffer_pool.h"

#include <chrono>
#include <cstdlib>

namespace xsp::record::cuda {

std::uint8_t* BufferPool::Take() {
  constexpr std::size_t kAlign = 64;  // CUPTI asks for 8.
  const std::lock_guard lock(mutex_);
  if (!free_.empty()) {
    std::uint8_t* data = free_.back();
    free_.pop_back();
    return data;
  }
  if (made_ == kMostBuffers) return nullptr;
  auto* data = static_cast<std::uint8_t*>(std::aligned_alloc(kAlign, kBufferBytes));
  if (data != nullptr) ++made_;
  return data;
}

void BufferPool::Fill(std::uint8_t* data, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes == 0) {
    free_.push_back(data);
    return;
  }
  filled_.push_back({data, bytes});
  filled_or_woken_.notify_one();
}

BufferPool::Filled BufferPool::Next(int timeout_ms) {
  std::unique_lock lock(mutex_);
  filled_or_woken_.wait_for(lock, std::chrono::milliseconds(timeout_ms),
                            [this] { return woken_ || !filled_.empty(); });
  woken_ = false;
  if (filled_.empty()) return {};
  const Filled next = filled_.front();
  filled_.pop_front();
  return next;
}

void BufferPool::Return(std::uint8_t* data) {
  const std::lock_guard lock(mutex_);
  free_.push_back(data);
}

void BufferPool::Wake() {
  const std::lock_guard lock(mutex_);
  woken_ = true;
  filled_or_woken_.notify_one();
}

}  // namespace xsp::record::cuda
