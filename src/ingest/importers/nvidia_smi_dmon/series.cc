#include "ingest/importers/nvidia_smi_dmon/series.h"

namespace xsp::importers::nvidia_smi_dmon {
namespace {

constexpr double kShareOfPercent = 0.01;
constexpr double kHertzOfMegahertz = 1e6;
// The tool divides bytes by 1024 twice and calls the result MB.
constexpr double kBytesOfMegabyte = 1024.0 * 1024;

// nvidia-smi(1), `dmon`, options -s p, u, c, v, m, e, t.
constexpr Series kSeries[] = {
    {"pwr", "W", "nvml.power_watts", "watt", 1},
    {"gtemp", "C", "nvml.temperature_celsius", "celsius", 1},
    {"temp", "C", "nvml.temperature_celsius", "celsius", 1},  // Drivers before 390.
    {"mtemp", "C", "nvml.memory_temperature_celsius", "celsius", 1},
    {"sm", "%", "nvml.gpu_busy_share", "1", kShareOfPercent},
    {"mem", "%", "nvml.memory_busy_share", "1", kShareOfPercent},
    {"enc", "%", "nvml.encoder_busy_share", "1", kShareOfPercent},
    {"dec", "%", "nvml.decoder_busy_share", "1", kShareOfPercent},
    {"jpg", "%", "nvml.jpeg_busy_share", "1", kShareOfPercent},
    {"ofa", "%", "nvml.optical_flow_busy_share", "1", kShareOfPercent},
    {"mclk", "MHz", "nvml.memory_clock_hz", "Hz", kHertzOfMegahertz},
    {"pclk", "MHz", "nvml.sm_clock_hz", "Hz", kHertzOfMegahertz},
    {"pviol", "%", "nvml.power_violation_share", "1", kShareOfPercent},
    {"tviol", "bool", "nvml.thermal_violation", "1", 1},
    {"fb", "MB", "nvml.memory_used_bytes", "byte", kBytesOfMegabyte},
    {"bar1", "MB", "nvml.bar1_used_bytes", "byte", kBytesOfMegabyte},
    {"ccpm", "MB", "nvml.protected_memory_used_bytes", "byte", kBytesOfMegabyte},
    {"sbecc", "errs", "nvml.ecc_single_bit_errors", "1", 1},
    {"dbecc", "errs", "nvml.ecc_double_bit_errors", "1", 1},
    {"pci", "errs", "nvml.pcie_replays", "1", 1},
    {"rxpci", "MB/s", "nvml.pcie_received_bytes_per_s", "byte/s", kBytesOfMegabyte},
    {"txpci", "MB/s", "nvml.pcie_sent_bytes_per_s", "byte/s", kBytesOfMegabyte},
};

}  // namespace

std::optional<Series> SeriesOf(std::string_view column, std::string_view unit) {
  for (const Series& series : kSeries)
    if (series.column == column && (unit.empty() || series.column_unit == unit)) return series;
  return std::nullopt;
}

}  // namespace xsp::importers::nvidia_smi_dmon
