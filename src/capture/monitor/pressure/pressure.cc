#include <fmt/format.h>

#include "capture/monitor/number_file.h"
#include "capture/monitor/rate.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor::pressure {

namespace {

constexpr double kSecondsPerMicrosecond = 1e-6;

/// A line of a file of /proc/pressure.
struct Stall {
  std::size_t file;
  std::string_view line;  ///< "some" or "full"
  std::size_t channel;
  Rate rate;
};

class PressureSampler : public Sampler {
 public:
  explicit PressureSampler(const collect::MachineFiles& files) {
    // `full` of the CPU is only defined for a control group (Documentation/accounting/psi.rst).
    Open(files, "cpu", {"some"});
    Open(files, "memory", {"some", "full"});
    Open(files, "io", {"some", "full"});
  }

  void Sample(std::int64_t now_ns, std::span<double> values) override {
    for (std::size_t file = 0; file < files_.size(); ++file) {
      const auto text = files_[file].Text();
      for (Stall& stall : stalls_) {
        if (stall.file != file) continue;
        const auto total_us = text ? TotalOf(*text, stall.line) : std::nullopt;
        values[stall.channel] = stall.rate.Advance(total_us, now_ns) * kSecondsPerMicrosecond;
      }
    }
  }

 private:
  void Open(const collect::MachineFiles& files, std::string_view what,
            std::initializer_list<std::string_view> lines) {
    NumberFile file(files.root() / "proc/pressure" / what);
    const auto text = file.Text();
    if (!text) {
      // Without the option psi=1 some kernels show the files and refuse to read them.
      Hide(fmt::format("pressure.{}", what),
           fmt::format("/proc/pressure/{}: {}", what,
                       file.is_open() ? "the kernel does not count it" : file.refused()));
      return;
    }
    for (const std::string_view line : lines) {
      const std::string name = fmt::format("pressure.{}_{}_share", what, line);
      if (TotalOf(*text, line)) {
        stalls_.push_back({files_.size(), line, Add({name, "1", ""}), Rate()});
      } else {
        Hide(name, fmt::format("/proc/pressure/{} has no such line", what));
      }
    }
    files_.push_back(std::move(file));
  }

  /// "some avg10=0.00 avg60=0.00 avg300=0.00 total=123": microseconds.
  static std::optional<std::uint64_t> TotalOf(std::string_view text, std::string_view line) {
    Scanner scanner(text);
    while (scanner.NextLine()) {
      if (scanner.Word() != line) continue;
      for (std::string_view word = scanner.Word(); !word.empty(); word = scanner.Word()) {
        if (word == "total") return scanner.Number();
      }
    }
    return std::nullopt;
  }

  std::vector<NumberFile> files_;
  std::vector<Stall> stalls_;
};

std::unique_ptr<Sampler> OpenHere(const collect::MachineFiles& files) {
  return std::make_unique<PressureSampler>(files);
}

}  // namespace

extern const SamplerSpec kSpec;
constinit const SamplerSpec kSpec{
    .name = "pressure",
    .summary = "Share of the time in which tasks waited for CPU, memory or disks",
    .open = OpenHere};

}  // namespace xsp::monitor::pressure
