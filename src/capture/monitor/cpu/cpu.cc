#include <fmt/format.h>

#include <charconv>
#include <map>

#include "capture/monitor/number_file.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor::cpu {

namespace {

/// Ticks since boot of one line of /proc/stat (proc_stat(5)).
struct Ticks {
  std::uint64_t busy = 0;   ///< user, nice, system, irq, softirq; guests are within user and nice.
  std::uint64_t idle = 0;   ///< idle, iowait
  std::uint64_t steal = 0;  ///< Wanted by this virtual machine, given to others.
};

/// The rest of a line after its name; nothing where it has too few numbers.
std::optional<Ticks> ReadTicks(Scanner& line) {
  constexpr int kColumns = 8;
  std::uint64_t columns[kColumns] = {};
  for (int i = 0; i < kColumns; ++i) {
    const auto number = line.Number();
    if (!number && i < 4) return std::nullopt;  // Kernels before 2.6 end with idle.
    columns[i] = number.value_or(0);
  }
  return Ticks{columns[0] + columns[1] + columns[2] + columns[5] + columns[6],
               columns[3] + columns[4], columns[7]};
}

/// iowait may fall (proc_stat(5)): that is no time.
double Grown(std::uint64_t before, std::uint64_t now) {
  return now > before ? static_cast<double>(now - before) : 0;
}

/// One line of /proc/stat: the whole machine's, or a core's.
struct Line {
  std::size_t busy_channel = 0;
  std::optional<Ticks> before, now;
};

class CpuSampler : public Sampler {
 public:
  explicit CpuSampler(const collect::MachineFiles& files) : stat_(files.root() / "proc/stat") {
    const auto text = stat_.Text();
    if (!text) {
      Hide("cpu.busy_share",
           stat_.is_open() ? "/proc/stat is empty" : "/proc/stat: " + stat_.refused());
      return;
    }
    all_.busy_channel = Add({"cpu.busy_share", "1", ""});
    steal_channel_ = Add({"cpu.steal_share", "1", ""});
    Scanner scanner(*text);
    while (scanner.NextLine()) {
      const auto core = CoreOf(scanner.Word());
      if (core)
        cores_[*core].busy_channel = Add({"cpu.busy_share", "1", fmt::format("cpu {}", *core)});
    }
  }

  void Sample(std::int64_t, std::span<double> values) override {
    if (channels().empty()) return;
    Read();
    if (const auto shares = Shares(all_)) {
      values[all_.busy_channel] = shares->first;
      values[steal_channel_] = shares->second;
    }
    for (auto& [number, line] : cores_) {
      if (const auto shares = Shares(line)) values[line.busy_channel] = shares->first;
    }
  }

 private:
  /// 3 for "cpu3".
  static std::optional<int> CoreOf(std::string_view word) {
    if (!word.starts_with("cpu") || word.size() == 3) return std::nullopt;
    int number = 0;
    const auto parsed = std::from_chars(word.data() + 3, word.data() + word.size(), number);
    return parsed.ec == std::errc() ? std::optional(number) : std::nullopt;
  }

  /// A core that went offline has no line, and no value until it is back for two samples.
  void Read() {
    all_.now.reset();
    for (auto& [number, line] : cores_) line.now.reset();
    const auto text = stat_.Text();
    if (!text) return;
    Scanner scanner(*text);
    while (scanner.NextLine()) {
      const std::string_view word = scanner.Word();
      if (!word.starts_with("cpu")) break;  // They come first; interrupts after them are many.
      if (word.size() == 3) {
        all_.now = ReadTicks(scanner);
      } else if (const auto core = CoreOf(word)) {
        const auto line = cores_.find(*core);
        if (line != cores_.end()) line->second.now = ReadTicks(scanner);
      }
    }
  }

  /// Busy and stolen share of the time since the sample before; nothing where the kernel counted
  /// no tick.
  static std::optional<std::pair<double, double>> Shares(Line& line) {
    const std::optional<Ticks> before = std::exchange(line.before, line.now);
    if (!before || !line.now) return std::nullopt;
    const double busy = Grown(before->busy, line.now->busy);
    const double steal = Grown(before->steal, line.now->steal);
    const double all = busy + steal + Grown(before->idle, line.now->idle);
    if (all <= 0) return std::nullopt;
    return std::pair(busy / all, steal / all);
  }

  NumberFile stat_;
  Line all_;
  std::map<int, Line> cores_;
  std::size_t steal_channel_ = 0;
};

std::unique_ptr<Sampler> Open(const collect::MachineFiles& files) {
  return std::make_unique<CpuSampler>(files);
}

}  // namespace

extern const SamplerSpec kSpec;
constinit const SamplerSpec kSpec{
    .name = "cpu",
    .summary = "Busy and stolen share of the CPU time, of each core and of all",
    .open = Open};

}  // namespace xsp::monitor::cpu
