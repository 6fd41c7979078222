#include <fmt/format.h>

#include "capture/monitor/number_file.h"
#include "capture/monitor/sampler.h"
#include "capture/monitor/traffic_table.h"

namespace xsp::monitor::disk {

namespace {

/// /proc/diskstats counts in these whatever the disk's own sectors are (Documentation/admin-guide/
/// iostats.rst).
constexpr double kSectorBytes = 512;

class DiskSampler : public Sampler {
 public:
  explicit DiskSampler(const collect::MachineFiles& files)
      : diskstats_(files.root() / "proc/diskstats") {
    const auto text = diskstats_.Text();
    if (!text) {
      Hide("disk", diskstats_.is_open() ? "/proc/diskstats is empty"
                                        : "/proc/diskstats: " + diskstats_.refused());
      return;
    }
    Scanner scanner(*text);
    while (scanner.NextLine()) {
      const std::string name = NameOf(scanner);
      // Partitions are no folders of /sys/block; what stands on other disks (RAID, mapper) or on
      // memory (loop, zram) has no device below it, and would count its bytes twice.
      if (name.empty() || !files.Exists("sys/block/" + name + "/device")) continue;
      const std::string part = "disk " + name;
      const std::size_t read = Add({"disk.read_bytes_per_s", "byte/s", part});
      table_.AddPart(name, read, Add({"disk.write_bytes_per_s", "byte/s", part}));
    }
    if (channels().empty()) Hide("disk", "no disk of /proc/diskstats is a device of /sys/block");
  }

  void Sample(std::int64_t now_ns, std::span<double> values) override {
    if (channels().empty()) return;
    if (const auto text = diskstats_.Text()) {
      Scanner scanner(*text);
      while (scanner.NextLine()) {
        scanner.Word();
        scanner.Word();
        const std::string_view name = scanner.Word();
        // Reads, merged reads, sectors read, time; the same for writes.
        std::optional<std::uint64_t> columns[7];
        for (auto& column : columns) column = scanner.Number();
        table_.Set(name, columns[2], columns[6]);
      }
    }
    table_.Rates(now_ns, kSectorBytes, values);
  }

 private:
  static std::string NameOf(Scanner& line) {
    line.Word();  // Major and minor number.
    line.Word();
    return std::string(line.Word());
  }

  NumberFile diskstats_;
  TrafficTable table_;
};

std::unique_ptr<Sampler> Open(const collect::MachineFiles& files) {
  return std::make_unique<DiskSampler>(files);
}

}  // namespace

extern const SamplerSpec kSpec;
constinit const SamplerSpec kSpec{
    .name = "disk", .summary = "Bytes read from and written to each whole disk", .open = Open};

}  // namespace xsp::monitor::disk
