#ifndef XSP_CAPTURE_RECORD_CUDA_ACTIVITY_BUFFER_POOL_H_
#define XSP_CAPTURE_RECORD_CUDA_ACTIVITY_BUFFER_POOL_H_

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace xsp::record::cuda {

/// Buffers on their way between CUPTI, which fills them on any thread, and our thread, which
/// decodes them. Bounded: past kMostBuffers CUPTI gets none, drops records and counts them.
class BufferPool {
 public:
  static constexpr std::size_t kBufferBytes = 512 << 10;
  static constexpr std::size_t kMostBuffers = 256;  ///< 128 MiB, of which only used pages count.

  struct Filled {
    std::uint8_t* data = nullptr;
    std::size_t bytes = 0;
  };

  /// Null when all are in use. Never freed, as CUPTI may hold some until the process ends.
  std::uint8_t* Take();
  /// A buffer that CUPTI has filled; any thread, never waits for decoding.
  void Fill(std::uint8_t* data, std::size_t bytes);
  /// The next filled buffer; its data null: none within `timeout_ms`, or Wake was called.
  Filled Next(int timeout_ms);
  void Return(std::uint8_t* data);
  void Wake();

 private:
  std::mutex mutex_;
  std::condition_variable filled_or_woken_;
  std::vector<std::uint8_t*> free_;
  std::deque<Filled> filled_;
  std::size_t made_ = 0;
  bool woken_ = false;
};

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_ACTIVITY_BUFFER_POOL_H_
