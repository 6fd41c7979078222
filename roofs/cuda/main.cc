// Measures the roofs of one NVIDIA GPU and prints them as JSON, in the form of roof_loops::ToJson.
//
// Usage: xsp-roofs-cuda [--device N]     measures one
//        xsp-roofs-cuda --describe        lists all, without measuring: device, name, machine
// Exit status: 0 done; 2 wrong usage; 4 no such device, driver or too old a GPU (why: stderr).

#include <cuda_runtime_api.h>
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cublas.h"
#include "derive/roofs/roof.h"
#include "kernels.h"
#include "measure/roof_loops/cuda_plan.h"
#include "measure/roof_loops/roof_cache.h"

namespace xsp::roofs_cuda {
namespace {

using roofs::Roof;

constexpr int kNotPossible = 4, kUsage = 2;
constexpr int kRepeats = 20;
constexpr const char* kProductSuffix = " cuBLAS";
constexpr float kLeastLaunchMs = 5;  // Shorter ones would count the launch.

struct Gpu {
  int device = 0;
  std::string name;
  int capability = 0, processors = 0;
  std::int64_t l2_bytes = 0, free_bytes = 0;
  double stated_clock_hz = 0;
  int driver = 0;  ///< CUDA version that the driver has, 1000 x major + 10 x minor.
};

/// What the figures hold for; the same from both uses of this program.
std::string MachineText(const Gpu& gpu) {
  return fmt::format(
      "{}, compute capability {}.{}, {} processors, L2 {} KiB, driver for CUDA {}.{}", gpu.name,
      gpu.capability / 10, gpu.capability % 10, gpu.processors, gpu.l2_bytes / 1024,
      gpu.driver / 1000, gpu.driver % 1000 / 10);
}

/// Device memory; null when it could not be had.
class Memory {
 public:
  explicit Memory(std::int64_t bytes) {
    if (cudaMalloc(&data_, static_cast<std::size_t>(bytes)) != cudaSuccess) {
      data_ = nullptr;
      static_cast<void>(cudaGetLastError());
      return;
    }
    cudaMemset(data_, 0, static_cast<std::size_t>(bytes));
  }
  ~Memory() { cudaFree(data_); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  void* get() const { return data_; }
  char* At(std::int64_t offset) const { return static_cast<char*>(data_) + offset; }

 private:
  void* data_ = nullptr;
};

/// Times of launches by events, ms; empty where a launch failed.
class Stopwatch {
 public:
  Stopwatch() {
    cudaEventCreate(&start_);
    cudaEventCreate(&stop_);
  }
  ~Stopwatch() {
    cudaEventDestroy(start_);
    cudaEventDestroy(stop_);
  }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

  std::optional<float> Time(const std::function<bool()>& launch) {
    cudaEventRecord(start_);
    if (!launch() || cudaGetLastError() != cudaSuccess) return std::nullopt;
    cudaEventRecord(stop_);
    float ms = 0;
    if (cudaEventSynchronize(stop_) != cudaSuccess) return std::nullopt;
    if (cudaEventElapsedTime(&ms, start_, stop_) != cudaSuccess || ms <= 0) return std::nullopt;
    return ms;
  }

 private:
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
};

class Measurer {
 public:
  explicit Measurer(const Gpu& gpu) : gpu_(gpu), sink_(4096), shape_{gpu.processors * 8, 256} {}

  void Run() {
    if (sink_.get() == nullptr) return;
    for (const roof_loops::CudaLoopSpec* spec : roof_loops::CudaLoopsFor(gpu_.capability))
      AddLoop(*spec);
    AddShared();
    AddMemory();
    AddProducts();
    MarkUsed();
  }

  std::vector<Roof> roofs;
  double worst_median =
      1;  ///< Of best, of loops. Products slow down when they reach the GPU's power limit.
  std::string worst;
  std::string no_cublas;

  /// SM clock while the FP32 loop runs, Hz; 0: not known.
  double ClockHz() {
    const Memory out(2 * sizeof(long long));
    if (out.get() == nullptr) return 0;
    for (int i = 0; i < 3; ++i)
      LaunchClock({gpu_.processors * 4, 256}, 2'000'000, sink_.get(), out.get());
    long long counts[2] = {};
    if (cudaMemcpy(counts, out.get(), sizeof counts, cudaMemcpyDeviceToHost) != cudaSuccess ||
        counts[1] <= 0)
      return 0;
    return static_cast<double>(counts[0]) * 1e9 / static_cast<double>(counts[1]);
  }

 private:
  /// The best of some launches; `launch(rounds)` does `work(rounds)`. Nothing: it cannot run.
  std::optional<double> Best(const std::string& name,
                             const std::function<bool(std::int64_t)>& launch,
                             const std::function<double(std::int64_t)>& work, std::string& how) {
    std::int64_t rounds = 1;
    for (;;) {
      const auto ms = watch_.Time([&] { return launch(rounds); });
      if (!ms) {
        static_cast<void>(cudaGetLastError());
        return std::nullopt;
      }
      if (*ms >= kLeastLaunchMs || rounds > (std::int64_t{1} << 40)) break;
      rounds *= *ms * 4 < kLeastLaunchMs ? 4 : 2;
    }
    std::vector<double> rates;
    for (int i = 0; i < kRepeats; ++i) {
      const auto ms = watch_.Time([&] { return launch(rounds); });
      if (!ms) return std::nullopt;
      rates.push_back(work(rounds) * 1e3 / static_cast<double>(*ms));
    }
    std::sort(rates.begin(), rates.end());
    const double best = rates.back(), median = rates[rates.size() / 2];
    if (!name.ends_with(kProductSuffix) && median / best < worst_median) {
      worst_median = median / best;
      worst = name;
    }
    how = fmt::format("best of {} launches", kRepeats);
    return best;
  }

  void Add(const char* kind, const std::string& name, const char* dtype, const char* unit,
           std::optional<double> value, const std::string& how) {
    if (value) roofs.push_back({kind, name, dtype, unit, 0, *value, "measured:xsp", how, false});
  }

  void AddLoop(const roof_loops::CudaLoopSpec& spec) {
    const std::string name = fmt::format("{} {}", spec.dtype, spec.unit);
    std::string how;
    const auto best = Best(
        name,
        [&](std::int64_t rounds) {
          LaunchLoop(spec.loop, shape_, rounds, sink_.get());
          return true;
        },
        [&](std::int64_t rounds) {
          return roof_loops::OperationsOf(spec, shape_.blocks, shape_.threads, rounds);
        },
        how);
    Add("flops", name, spec.dtype, spec.unit, best,
        fmt::format("{}, {} accumulators, {}", spec.how, roof_loops::kCudaAccumulators, how));
  }

  void AddShared() {
    constexpr double kBytesARead = 16;
    std::string how;
    const auto best = Best(
        "shared read",
        [&](std::int64_t rounds) {
          LaunchSharedRead(shape_, rounds, sink_.get());
          return true;
        },
        [&](std::int64_t rounds) {
          return kBytesARead * roof_loops::kCudaAccumulators * static_cast<double>(rounds) *
                 shape_.blocks * shape_.threads;
        },
        how);
    Add("bandwidth", "shared read", "", "", best,
        fmt::format("ld.shared of 16 B, {} KiB a block, {}", kSharedBytes / 1024, how));
  }

  void AddMemory() {
    const roof_loops::CudaWorkingSets sets =
        roof_loops::PlanCudaWorkingSets(gpu_.l2_bytes, gpu_.free_bytes);
    const Memory memory(sets.dram_bytes);
    if (memory.get() == nullptr) return;
    const auto read = [&](const char* name, std::int64_t bytes, const char* remark) {
      if (bytes == 0) return;
      std::string how;
      const auto best = Best(
          name,
          [&](std::int64_t passes) {
            LaunchRead(memory.get(), bytes, passes, shape_, sink_.get());
            return true;
          },
          [&](std::int64_t passes) {
            return static_cast<double>(bytes) * static_cast<double>(passes);
          },
          how);
      Add("bandwidth", name, "", "", best,
          fmt::format("loads of 16 B past L1, {} MiB, {}{}", bytes >> 20, how, remark));
    };
    const char* remark = sets.exceeds_l2 ? "" : "; less than 16 times the L2 cache";
    read("L2 read", std::min(sets.l2_bytes, sets.dram_bytes), "");
    read("DRAM read", sets.dram_bytes, remark);
    const std::int64_t third = sets.dram_bytes / 3 >> 20 << 20;
    std::string how;
    const auto best = Best(
        "DRAM triad",
        [&](std::int64_t passes) {
          for (std::int64_t i = 0; i < passes; ++i)
            LaunchTriad(memory.get(), memory.At(third), memory.At(2 * third), third, shape_);
          return true;
        },
        [&](std::int64_t passes) {
          return 3 * static_cast<double>(third) * static_cast<double>(passes);
        },
        how);
    Add("bandwidth", "DRAM triad", "", "", best,
        fmt::format("a = b + s c, 3 arrays of {} MiB, 3 operands counted, {}{}", third >> 20, how,
                    remark));
  }

  /// n of the product, for which there is memory and time; 0: it cannot be measured.
  std::int64_t SizeInTime(Cublas& cublas, const Product& product) {
    const std::int64_t fitting =
        roof_loops::ProductSize(gpu_.free_bytes / 2, product.element_bytes, product.result_bytes);
    constexpr std::int64_t kProbe = roof_loops::kSmallestProduct;
    if (fitting < kProbe) return 0;
    const Memory a(kProbe * kProbe * product.element_bytes),
        b(kProbe * kProbe * product.element_bytes), c(kProbe * kProbe * product.result_bytes);
    if (!a.get() || !b.get() || !c.get()) return 0;
    const auto multiply = [&] {
      return cublas.Multiply(product, kProbe, a.get(), b.get(), c.get());
    };
    // The first call loads the library's kernels: only the second tells how fast the GPU is.
    if (!watch_.Time(multiply)) {
      static_cast<void>(cudaGetLastError());
      return 0;
    }
    const auto ms = watch_.Time(multiply);
    return ms ? roof_loops::ProductSizeInTime(fitting, static_cast<double>(*ms)) : 0;
  }

  void AddProducts() {
    Cublas cublas;
    no_cublas = cublas.problem();
    if (!no_cublas.empty()) return;
    for (const Product& product : AllProducts()) {
      if (gpu_.capability < product.least_capability) continue;
      const std::int64_t n = SizeInTime(cublas, product);
      if (n == 0) continue;
      const Memory a(n * n * product.element_bytes), b(n * n * product.element_bytes),
          c(n * n * product.result_bytes);
      if (!a.get() || !b.get() || !c.get()) continue;
      // Where tensor cores have no FP64, cuBLAS multiplies on the vector units.
      const bool is_float64 = std::string_view(product.dtype) == "float64";
      const char* const unit =
          is_float64 && !roof_loops::HasTensorFloat64(gpu_.capability) ? "vector" : product.unit;
      const std::string name = fmt::format("{} {}", product.dtype, unit);
      std::string how;
      const auto best = Best(
          name + kProductSuffix,
          [&](std::int64_t times) {
            for (std::int64_t i = 0; i < times; ++i)
              if (!cublas.Multiply(product, n, a.get(), b.get(), c.get())) return false;
            return true;
          },
          [&](std::int64_t times) {
            return roof_loops::OperationsOfProduct(n) * static_cast<double>(times);
          },
          how);
      Add("flops", name, product.dtype, unit, best,
          fmt::format("{} product {}, n = {}, {}, zeros", cublas.library(), product.how, n, how));
    }
  }

  /// The highest of each data type and unit, and the higher of DRAM read and triad.
  void MarkUsed() {
    for (Roof& roof : roofs) {
      const bool dram = roof.name.starts_with("DRAM");
      if (roof.kind == "bandwidth" && !dram) continue;
      roof.used = std::all_of(roofs.begin(), roofs.end(), [&](const Roof& other) {
        const bool rival = dram ? other.name.starts_with("DRAM") : other.name == roof.name;
        return !rival || other.value <= roof.value;
      });
    }
  }

  const Gpu& gpu_;
  Stopwatch watch_;
  Memory sink_;
  Shape shape_;
};

int Fail(std::string_view what, std::string_view hint, int status) {
  fmt::print(stderr, "error: {}\nhint: {}\n", what, hint);
  return status;
}

/// Nothing and a message to stderr when the GPU cannot be used.
std::optional<Gpu> Open(int device) {
  int count = 0;
  if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess || count == 0) {
    Fail(fmt::format("no CUDA device: {}", cudaGetErrorString(error)),
         "nvidia-smi says whether a driver is loaded", kNotPossible);
    return std::nullopt;
  }
  if (device < 0 || device >= count || cudaSetDevice(device) != cudaSuccess) {
    Fail(fmt::format("no CUDA device {} of {}", device, count), "nvidia-smi -L lists them",
         kNotPossible);
    return std::nullopt;
  }
  Gpu gpu;
  gpu.device = device;
  cudaDeviceProp properties{};
  cudaGetDeviceProperties(&properties, device);
  gpu.name = properties.name;
  gpu.capability = 10 * properties.major + properties.minor;
  gpu.processors = properties.multiProcessorCount;
  gpu.l2_bytes = properties.l2CacheSize;
  cudaDriverGetVersion(&gpu.driver);
  int clock_khz = 0;
  if (cudaDeviceGetAttribute(&clock_khz, cudaDevAttrClockRate, device) == cudaSuccess)
    gpu.stated_clock_hz = clock_khz * 1e3;
  std::size_t free_bytes = 0, all_bytes = 0;
  cudaMemGetInfo(&free_bytes, &all_bytes);
  gpu.free_bytes = static_cast<std::int64_t>(free_bytes);
  return gpu;
}

int Main(int device) {
  const std::optional<Gpu> gpu = Open(device);
  if (!gpu) return kNotPossible;
  Measurer measurer(*gpu);
  const double clock_hz = measurer.ClockHz();
  measurer.Run();
  if (measurer.roofs.empty())
    return Fail(fmt::format("nothing could be measured on {}: {}", gpu->name,
                            cudaGetErrorString(cudaGetLastError())),
                "this program was built for compute capability 7.5 and later", kNotPossible);
  roofs::RoofReport report;
  report.machine = MachineText(*gpu);
  report.measured_at = fmt::format(
      "{:%Y-%m-%dT%H:%M:%SZ}",
      fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now())));
  report.disturbed = measurer.worst_median < 0.9;
  report.conditions = fmt::format(
      "SM clock {:.0f} MHz under the FP32 loop, {:.0f} MHz stated; best of {} launches of at least "
      "{:g} ms each; lowest median over best {:.2f} ({}); operands are constants, which take less "
      "power than data; mma.sync does not reach what wgmma (9.0) and tcgen05 (10.0) can: the "
      "cuBLAS "
      "products do",
      clock_hz / 1e6, gpu->stated_clock_hz / 1e6, kRepeats, kLeastLaunchMs, measurer.worst_median,
      measurer.worst);
  if (!measurer.no_cublas.empty()) report.conditions += "; " + measurer.no_cublas;
  report.roofs = std::move(measurer.roofs);
  fmt::print("{}", roof_loops::ToJson(report));
  return 0;
}

int DescribeAll() {
  int count = 0;
  nlohmann::json gpus = nlohmann::json::array();
  static_cast<void>(cudaGetDeviceCount(&count));
  for (int device = 0; device < std::max(count, 1); ++device) {
    const std::optional<Gpu> gpu = Open(device);  // Says why there is none.
    if (!gpu) return kNotPossible;
    gpus.push_back({{"device", device}, {"name", gpu->name}, {"machine", MachineText(*gpu)}});
  }
  fmt::print("{}\n", gpus.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return 0;
}

}  // namespace
}  // namespace xsp::roofs_cuda

int main(int argc, char** argv) {
  int device = 0;
  if (argc == 2 && std::string_view(argv[1]) == "--describe") return xsp::roofs_cuda::DescribeAll();
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    const char* value = i + 1 < argc ? argv[i + 1] : nullptr;
    const bool parsed = argument == "--device" && value != nullptr &&
                        std::from_chars(value, value + std::strlen(value), device).ptr ==
                            value + std::strlen(value);
    if (!parsed) {
      fmt::print(stderr, "usage: xsp-roofs-cuda [--device N | --describe]\n");
      return argument == "--help" ? 0 : xsp::roofs_cuda::kUsage;
    }
    ++i;
  }
  return xsp::roofs_cuda::Main(device);
}
