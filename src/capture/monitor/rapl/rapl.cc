#include <fmt/format.h>

#include "capture/monitor/number_file.h"
#include "capture/monitor/rate.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor::rapl {

namespace {

constexpr const char* kFolder = "sys/class/powercap";
constexpr double kJoulesPerMicrojoule = 1e-6;

struct Zone {
  NumberFile energy;
  std::size_t channel;
  Rate rate;
};

class RaplSampler : public Sampler {
 public:
  explicit RaplSampler(const collect::MachineFiles& files) {
    for (const std::string& folder : files.Names(kFolder)) {
      // "intel-rapl:0", "intel-rapl:0:1" (AMD's too). "intel-rapl-mmio:0" is the same package
      // again.
      if (folder.starts_with("intel-rapl:")) OpenZone(files, folder);
    }
    if (!channels().empty() || !hidden().empty()) return;
    Hide("rapl.power_watts", files.Exists(kFolder)
                                 ? "no energy counter of the CPU in /sys/class/powercap"
                                 : "no /sys/class/powercap here (a virtual machine has none)");
  }

  void Sample(std::int64_t now_ns, std::span<double> values) override {
    for (Zone& zone : zones_) {
      const double microwatts = zone.rate.Advance(zone.energy.Number(), now_ns);
      values[zone.channel] = microwatts * kJoulesPerMicrojoule;
    }
  }

 private:
  void OpenZone(const collect::MachineFiles& files, const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(kFolder) / folder;
    const std::string name = ZoneName(files, folder);
    NumberFile energy(files.root() / path / "energy_uj");
    if (!energy.Number()) {
      Hide("rapl.power_watts",
           fmt::format("{}: energy_uj: {} (only root may read it)", name,
                       energy.is_open() ? "it has no number" : energy.refused()));
      return;
    }
    const auto range = files.Number(path / "max_energy_range_uj");
    const auto wraps_at = range && *range > 0 ? static_cast<std::uint64_t>(*range) : 0;
    const std::size_t channel = Add({"rapl.power_watts", "watt", name});
    zones_.push_back({std::move(energy), channel, Rate(wraps_at)});
  }

  /// "package-0"; of a part of a package "package-0 dram".
  static std::string ZoneName(const collect::MachineFiles& files, const std::string& folder) {
    const std::filesystem::path path = std::filesystem::path(kFolder) / folder;
    const std::string own = files.Text(path / "name").value_or(folder);
    const std::size_t last = folder.rfind(':');
    if (folder.find(':') == last) return own;
    return ZoneName(files, folder.substr(0, last)) + " " + own;
  }

  std::vector<Zone> zones_;
};

std::unique_ptr<Sampler> Open(const collect::MachineFiles& files) {
  return std::make_unique<RaplSampler>(files);
}

}  // namespace

extern const SamplerSpec kSpec;
constinit const SamplerSpec kSpec{
    .name = "rapl",
    .summary = "Power of CPU packages and their parts, from their energy counters",
    .open = Open};

}  // namespace xsp::monitor::rapl
