#include "capture/monitor/number_file.h"
#include "capture/monitor/sampler.h"
#include "capture/monitor/traffic_table.h"

namespace xsp::monitor::network {

namespace {

constexpr std::string_view kLoopback = "lo";

class NetworkSampler : public Sampler {
 public:
  /// Interfaces of the network namespace that this process is in: a container sees its own.
  explicit NetworkSampler(const collect::MachineFiles& files)
      : dev_(files.root() / "proc/net/dev") {
    const auto text = dev_.Text();
    if (!text) {
      Hide("network",
           dev_.is_open() ? "/proc/net/dev is empty" : "/proc/net/dev: " + dev_.refused());
      return;
    }
    Scanner scanner(*text);
    while (scanner.NextLine()) {
      const std::string name(scanner.Word());
      if (name == kLoopback || !scanner.Number()) continue;  // Two lines of headings.
      const std::size_t received =
          Add({"network.received_bytes_per_s", "byte/s", "network " + name});
      table_.AddPart(name, received,
                     Add({"network.sent_bytes_per_s", "byte/s", "network " + name}));
    }
    if (channels().empty()) Hide("network", "no interface but the loopback is visible");
  }

  void Sample(std::int64_t now_ns, std::span<double> values) override {
    if (channels().empty()) return;
    if (const auto text = dev_.Text()) {
      Scanner scanner(*text);
      while (scanner.NextLine()) {
        const std::string_view name = scanner.Word();
        // Bytes, packets, errors, dropped, fifo, frame, compressed, multicast; then those sent.
        std::optional<std::uint64_t> columns[9];
        for (auto& column : columns) column = scanner.Number();
        table_.Set(name, columns[0], columns[8]);
      }
    }
    table_.Rates(now_ns, 1, values);
  }

 private:
  NumberFile dev_;
  TrafficTable table_;
};

std::unique_ptr<Sampler> Open(const collect::MachineFiles& files) {
  return std::make_unique<NetworkSampler>(files);
}

}  // namespace

extern const SamplerSpec kSpec;
constinit const SamplerSpec kSpec{
    .name = "network",
    .summary = "Bytes received and sent by each network interface but the loopback",
    .open = Open};

}  // namespace xsp::monitor::network
