#include "gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "shared_library.h"

namespace xsp::cuda_alternatives {

/// Of the driver API, declared here so that no CUDA toolkit is needed to build: cuda.h has the same
/// signatures since CUDA 11.4. A CUdevice is an int, a CUdeviceptr 64 bits; all handles are
/// pointers.
struct DriverFunctions {
  int (*init)(unsigned);
  int (*device_count)(int*);
  int (*device_name)(char*, int, int);
  int (*device_attribute)(int*, int, int);
  int (*retain_context)(void**, int);
  int (*release_context)(int);
  int (*set_context)(void*);
  int (*allocate)(std::uint64_t*, std::size_t);
  int (*free)(std::uint64_t);
  int (*copy_in)(std::uint64_t, const void*, std::size_t);
  int (*create_stream)(void**, unsigned);
  int (*destroy_stream)(void*);
  int (*synchronize)(void*);
  int (*create_event)(void**, unsigned);
  int (*destroy_event)(void*);
  int (*record_event)(void*, void*);
  int (*wait_event)(void*);
  int (*elapsed_ms)(float*, void*, void*);
  int (*begin_capture)(void*, int);
  int (*end_capture)(void*, void**);
  int (*instantiate)(void**, void*, unsigned long long);
  int (*upload)(void*, void*);
  int (*launch_graph)(void*, void*);
  int (*destroy_graph)(void*);
  int (*destroy_executable)(void*);
  int (*error_name)(int, const char**);
};

namespace {

constexpr int kSuccess = 0;
// CUdevice_attribute
constexpr int kL2Bytes = 38, kCapabilityMajor = 75, kCapabilityMinor = 76;
constexpr unsigned kNonBlockingStream = 1;  // CU_STREAM_NON_BLOCKING
constexpr int kRelaxedCapture = 2;          // CU_STREAM_CAPTURE_MODE_RELAXED

DriverFunctions LoadDriver() {
  const auto library = SharedLibrary::Open({"libcuda.so.1"});
  if (!library) throw NotPossible("no NVIDIA driver: libcuda.so.1 cannot be opened");
  DriverFunctions driver{};
  library->Load("cuInit", driver.init);
  library->Load("cuDeviceGetCount", driver.device_count);
  library->Load("cuDeviceGetName", driver.device_name);
  library->Load("cuDeviceGetAttribute", driver.device_attribute);
  library->Load("cuDevicePrimaryCtxRetain", driver.retain_context);
  library->Load("cuDevicePrimaryCtxRelease_v2", driver.release_context);
  library->Load("cuCtxSetCurrent", driver.set_context);
  library->Load("cuMemAlloc_v2", driver.allocate);
  library->Load("cuMemFree_v2", driver.free);
  library->Load("cuMemcpyHtoD_v2", driver.copy_in);
  library->Load("cuStreamCreate", driver.create_stream);
  library->Load("cuStreamDestroy_v2", driver.destroy_stream);
  library->Load("cuStreamSynchronize", driver.synchronize);
  library->Load("cuEventCreate", driver.create_event);
  library->Load("cuEventDestroy_v2", driver.destroy_event);
  library->Load("cuEventRecord", driver.record_event);
  library->Load("cuEventSynchronize", driver.wait_event);
  library->Load("cuEventElapsedTime", driver.elapsed_ms);
  library->Load("cuStreamBeginCapture_v2", driver.begin_capture);
  library->Load("cuStreamEndCapture", driver.end_capture);
  library->Load("cuGraphInstantiateWithFlags", driver.instantiate);
  library->Load("cuGraphUpload", driver.upload);
  library->Load("cuGraphLaunch", driver.launch_graph);
  library->Load("cuGraphDestroy", driver.destroy_graph);
  library->Load("cuGraphExecDestroy", driver.destroy_executable);
  library->Load("cuGetErrorName", driver.error_name);
  return driver;
}

std::string ErrorName(const DriverFunctions& driver, int status) {
  const char* name = nullptr;
  if (driver.error_name(status, &name) != kSuccess || name == nullptr)
    return fmt::format("error {}", status);
  return name;
}

/// Initialised; throws NotPossible.
const DriverFunctions& Driver() {
  static const DriverFunctions driver = LoadDriver();
  if (const int status = driver.init(0); status != kSuccess)
    throw NotPossible("no CUDA device: " + ErrorName(driver, status));
  return driver;
}

std::string NameOf(const DriverFunctions& driver, int device) {
  std::array<char, 256> name{};
  if (driver.device_name(name.data(), static_cast<int>(name.size()) - 1, device) != kSuccess)
    throw NotPossible(fmt::format("CUDA device {} has no name", device));
  return name.data();
}

int CountOf(const DriverFunctions& driver) {
  int count = 0;
  return driver.device_count(&count) == kSuccess ? count : 0;
}

}  // namespace

std::vector<std::string> Gpu::Names() {
  const DriverFunctions& driver = Driver();
  std::vector<std::string> names;
  for (int device = 0; device < CountOf(driver); ++device) names.push_back(NameOf(driver, device));
  return names;
}

Gpu::Gpu(int device) : driver_(Driver()), device_(device) {
  if (const int count = CountOf(driver_); device < 0 || device >= count)
    throw NotPossible(fmt::format("no CUDA device {} of {}", device, count));
  name_ = NameOf(driver_, device);
  int major = 0, minor = 0, l2_bytes = 0;
  driver_.device_attribute(&major, kCapabilityMajor, device);
  driver_.device_attribute(&minor, kCapabilityMinor, device);
  driver_.device_attribute(&l2_bytes, kL2Bytes, device);
  capability_ = 10 * major + minor;
  l2_bytes_ = l2_bytes;
  void* context = nullptr;
  if (const int status = driver_.retain_context(&context, device); status != kSuccess)
    throw NotPossible(fmt::format("{} cannot be used: {}", name_, ErrorName(driver_, status)));
  Check(driver_.set_context(context), "cuCtxSetCurrent");
  Check(driver_.create_stream(&stream_, kNonBlockingStream), "cuStreamCreate");
  Check(driver_.create_event(&start_, 0), "cuEventCreate");
  Check(driver_.create_event(&end_, 0), "cuEventCreate");
}

Gpu::~Gpu() {
  driver_.destroy_event(start_);
  driver_.destroy_event(end_);
  driver_.destroy_stream(stream_);
  driver_.release_context(device_);
}

void Gpu::Check(int status, const char* what) const {
  if (status != kSuccess)
    throw DeviceError(fmt::format("{} failed: {}", what, ErrorName(driver_, status)));
}

void Gpu::Synchronize() const { Check(driver_.synchronize(stream_), "the work"); }

double Gpu::TimeNs(const std::function<void()>& work) const {
  Check(driver_.record_event(start_, stream_), "cuEventRecord");
  work();
  Check(driver_.record_event(end_, stream_), "cuEventRecord");
  Check(driver_.wait_event(end_), "the work");
  float ms = 0;
  Check(driver_.elapsed_ms(&ms, start_, end_), "cuEventElapsedTime");
  return static_cast<double>(ms) * 1e6;
}

Memory::Memory(const Gpu& gpu, std::int64_t bytes) : gpu_(&gpu), bytes_(bytes) {
  const int status =
      gpu.driver_.allocate(&address_, static_cast<std::size_t>(std::max<std::int64_t>(bytes, 1)));
  if (status != kSuccess)
    throw NotPossible(fmt::format("the GPU has no {} MiB of free memory: {}", bytes >> 20,
                                  ErrorName(gpu.driver_, status)));
}

Memory::~Memory() {
  if (gpu_ != nullptr) gpu_->driver_.free(address_);
}

Memory::Memory(Memory&& other) noexcept { *this = std::move(other); }

Memory& Memory::operator=(Memory&& other) noexcept {
  std::swap(gpu_, other.gpu_);
  std::swap(address_, other.address_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

void Memory::Fill(const std::vector<char>& pattern) const {
  const auto step = static_cast<std::int64_t>(pattern.size());
  for (std::int64_t at = 0; step > 0 && at < bytes_; at += step)
    gpu_->Check(gpu_->driver_.copy_in(address_ + static_cast<std::uint64_t>(at), pattern.data(),
                                      static_cast<std::size_t>(std::min(step, bytes_ - at))),
                "cuMemcpyHtoD");
}

LaunchGraph::LaunchGraph(const Gpu& gpu, const std::function<void()>& launch) : gpu_(&gpu) {
  const DriverFunctions& driver = gpu.driver_;
  if (driver.begin_capture(gpu.stream(), kRelaxedCapture) != kSuccess) return;
  void* graph = nullptr;
  bool is_launched = true;
  try {
    launch();
  } catch (const std::exception&) {
    is_launched = false;  // A library that cannot be recorded; alone the launch may work.
  }
  if (driver.end_capture(gpu.stream(), &graph) != kSuccess || graph == nullptr) return;
  if (is_launched && driver.instantiate(&executable_, graph, 0) != kSuccess) executable_ = nullptr;
  driver.destroy_graph(graph);
  if (executable_ != nullptr) driver.upload(executable_, gpu.stream());
}

LaunchGraph::~LaunchGraph() {
  if (executable_ != nullptr) gpu_->driver_.destroy_executable(executable_);
}

LaunchGraph::LaunchGraph(LaunchGraph&& other) noexcept
    : gpu_(other.gpu_), executable_(std::exchange(other.executable_, nullptr)) {}

void LaunchGraph::Launch() const {
  gpu_->Check(gpu_->driver_.launch_graph(executable_, gpu_->stream()), "cuGraphLaunch");
}

}  // namespace xsp::cuda_alternatives
