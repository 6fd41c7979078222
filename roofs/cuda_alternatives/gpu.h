#ifndef XSP_ROOFS_CUDA_ALTERNATIVES_GPU_H_
#define XSP_ROOFS_CUDA_ALTERNATIVES_GPU_H_

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace xsp::cuda_alternatives {

struct DriverFunctions;

/// The device failed, after which its context computes nothing more.
struct DeviceError : std::exception {
  explicit DeviceError(std::string text) : text(std::move(text)) {}
  const char* what() const noexcept override { return text.c_str(); }
  std::string text;
};

/// One GPU with its primary context, which cuBLAS and cuDNN share, and a stream; through the driver
/// API of libcuda.so.1, opened at run time. Threading: the thread that made it.
class Gpu {
 public:
  /// Throws NotPossible without a driver, or without this device (ordinal as CUDA counts).
  explicit Gpu(int device);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  /// Names of all devices, by ordinal. Throws NotPossible without a driver.
  static std::vector<std::string> Names();

  const std::string& name() const { return name_; }
  int capability() const { return capability_; }  ///< 90 for 9.0.
  std::int64_t l2_bytes() const { return l2_bytes_; }
  void* stream() const { return stream_; }

  /// Waits for all work. Throws DeviceError where some of it failed.
  void Synchronize() const;

  /// The time between the end of the work before `work` and the end of that of `work`, ns, by
  /// events of the stream (resolution about 0.5 us). Throws DeviceError.
  double TimeNs(const std::function<void()>& work) const;

 private:
  friend class Memory;
  friend class LaunchGraph;

  /// Throws DeviceError unless `status` is that of success.
  void Check(int status, const char* what) const;

  const DriverFunctions& driver_;
  int device_;
  std::string name_;
  int capability_ = 0;
  std::int64_t l2_bytes_ = 0;
  void *stream_ = nullptr, *start_ = nullptr, *end_ = nullptr;
};

/// Memory of the GPU, which must outlive it.
class Memory {
 public:
  Memory() = default;
  /// Throws NotPossible if so much is not free.
  Memory(const Gpu& gpu, std::int64_t bytes);
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;

  void* At(std::int64_t offset) const {
    return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address_) +
                                   static_cast<std::uintptr_t>(offset));
  }
  std::int64_t bytes() const { return bytes_; }

  /// Repeats `pattern` over all of it; what is left at the end stays as it is.
  void Fill(const std::vector<char>& pattern) const;

 private:
  const Gpu* gpu_ = nullptr;
  std::uint64_t address_ = 0;
  std::int64_t bytes_ = 0;
};

/// Launches that were recorded once and are submitted together, so that the time between them is
/// that of the GPU rather than of the program.
class LaunchGraph {
 public:
  /// Records what `launch` submits to the stream. Check `ok()`: some libraries refuse it.
  LaunchGraph(const Gpu& gpu, const std::function<void()>& launch);
  ~LaunchGraph();
  LaunchGraph(LaunchGraph&& other) noexcept;
  LaunchGraph& operator=(LaunchGraph&&) = delete;

  bool ok() const { return executable_ != nullptr; }
  void Launch() const;  ///< Throws DeviceError.

 private:
  const Gpu* gpu_;
  void* executable_ = nullptr;
};

}  // namespace xsp::cuda_alternatives

#endif  // XSP_ROOFS_CUDA_ALTERNATIVES_GPU_H_
