#include "capture/monitor/number_file.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor::memory {

namespace {

constexpr std::uint64_t kKibibyte = 1024;  // What /proc/meminfo calls kB.

class MemorySampler : public Sampler {
 public:
  explicit MemorySampler(const collect::MachineFiles& files)
      : meminfo_(files.root() / "proc/meminfo") {
    if (!meminfo_.is_open()) {
      Hide("memory.used_bytes", "/proc/meminfo: " + meminfo_.refused());
    } else if (!UsedKibibytes()) {
      Hide("memory.used_bytes", "/proc/meminfo does not say MemTotal and MemAvailable");
    } else {
      Add({"memory.used_bytes", "byte", ""});
    }
  }

  void Sample(std::int64_t, std::span<double> values) override {
    if (channels().empty()) return;
    if (const auto used = UsedKibibytes()) values[0] = static_cast<double>(*used * kKibibyte);
  }

 private:
  /// What a new program could not have: caches that the kernel would give back do not count.
  std::optional<std::uint64_t> UsedKibibytes() {
    const auto text = meminfo_.Text();
    if (!text) return std::nullopt;
    const auto total = NumberAfter(*text, "MemTotal");
    const auto available = NumberAfter(*text, "MemAvailable");
    if (!total || !available || *available > *total) return std::nullopt;
    return *total - *available;
  }

  NumberFile meminfo_;
};

std::unique_ptr<Sampler> Open(const collect::MachineFiles& files) {
  return std::make_unique<MemorySampler>(files);
}

}  // namespace

extern const SamplerSpec kSpec;
constinit const SamplerSpec kSpec{.name = "memory",
                                  .summary = "Memory of the machine in use: total less available",
                                  .open = Open};

}  // namespace xsp::monitor::memory
