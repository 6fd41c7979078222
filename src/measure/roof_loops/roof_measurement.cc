#include "measure/roof_loops/roof_measurement.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>

#include "measure/roof_loops/peak_kernels.h"
#include "measure/roof_loops/working_set.h"

namespace xsp::roof_loops {

namespace {

constexpr long kRounds = 2000;       // About 10 us of any peak loop.
constexpr double kBusyShare = 0.05;  // Off the CPU for longer than this: disturbed.

/// Sums up what disturbed the measurements of a report.
struct Interference {
  double off_cpu = 0;  // Of `measurements`, in CPU times.
  int measurements = 0;
  std::int64_t switches = 0;
  double worst_median = 1;  // Of best; the roof below.
  std::string worst;
  bool pinned = true;

  void Add(const Measurement& measurement, const std::string& name) {
    off_cpu += measurement.off_cpu_share;
    ++measurements;
    switches += measurement.involuntary_switches;
    pinned = pinned && measurement.pinned;
    const Rate& rate = measurement.rate;
    if (rate.best_per_s > 0 && rate.median_per_s / rate.best_per_s < worst_median) {
      worst_median = rate.median_per_s / rate.best_per_s;
      worst = name;
    }
  }
  double OffCpuShare() const { return measurements == 0 ? 0 : off_cpu / measurements; }
};

class Measurer {
 public:
  Measurer(const os::Processor& processor, const MeasurePlan& plan)
      : processor_(processor), plan_(plan), loops_(UsableBandwidthKernel(processor)) {}

  roofs::RoofReport Run() {
    const std::vector<PeakKernel> kernels = UsablePeakKernels(processor_);
    std::vector<int> counts = {1};
    if (plan_.cpus.size() > 1) counts.push_back(static_cast<int>(plan_.cpus.size()));
    std::vector<std::vector<WorkingSet>> sets;
    for (const int count : counts) {
      sets.push_back(PlanWorkingSets(processor_, count, plan_.memory_bytes));
      steps_ += static_cast<int>(kernels.size() + 3 * sets.back().size());
    }
    WarmUp(kernels);
    for (std::size_t i = 0; i < counts.size(); ++i) {
      for (const PeakKernel& kernel : kernels) AddPeak(kernel, counts[i]);
      for (const WorkingSet& set : sets[i]) AddBandwidths(set, counts[i]);
    }
    MarkUsed(report_.roofs, counts.back());
    report_.conditions = Conditions();
    report_.disturbed = interference_.OffCpuShare() > kBusyShare;
    return std::move(report_);
  }

 private:
  std::span<const int> Cpus(int count) const {
    return std::span(plan_.cpus).first(static_cast<std::size_t>(count));
  }

  void Tell(const std::string& name, int cores) {
    if (plan_.progress) {
      plan_.progress(fmt::format("{}, {} {}", name, cores, cores == 1 ? "core" : "cores"),
                     static_cast<double>(step_) / std::max(steps_, 1));
    }
    ++step_;
  }

  std::string BestOf(const Measurement& measurement) const {
    return fmt::format("best of {} x {:g} ms", measurement.rate.windows,
                       static_cast<double>(plan_.effort.window_ns) / 1e6);
  }

  /// Measures, and once more where others held the CPUs: the better of the two counts.
  Measurement Measure(const std::string& name, int cores,
                      const std::function<Chunk(int thread)>& make) {
    constexpr double kOftenOff = 0.5;
    Tell(name, cores);
    Measurement best = MeasureRate(Cpus(cores), make, plan_.effort);
    interference_.Add(best, name);
    if (best.off_cpu_share > kOftenOff) {
      const Measurement second = MeasureRate(Cpus(cores), make, plan_.effort);
      interference_.Add(second, name);
      if (second.rate.best_per_s > best.rate.best_per_s) best = second;
    }
    return best;
  }

  /// Brings the clock up, and with it AVX-512's own licence, before the first figure counts.
  void WarmUp(const std::vector<PeakKernel>& kernels) {
    Effort effort = plan_.effort;
    effort.warm_ns = 0;
    const PeakKernel kernel = kernels.front();
    static_cast<void>(MeasureRate(
        plan_.cpus, [&](int) { return Chunk([&] { return kernel.run(kRounds); }); }, effort));
  }

  void AddPeak(const PeakKernel& kernel, int cores) {
    const std::string name = fmt::format("{} {}", kernel.dtype, kernel.unit);
    const Measurement measurement = Measure(name, cores, [&](int) {
      if (kernel.enter_thread != nullptr) kernel.enter_thread();
      return Chunk([&] { return kernel.run(kRounds); });
    });
    report_.roofs.push_back({"flops", name, kernel.dtype, kernel.unit, cores,
                             measurement.rate.best_per_s, "measured:xsp",
                             fmt::format("{}, {}", kernel.how, BestOf(measurement)), false});
  }

  void AddBandwidths(const WorkingSet& set, int cores) {
    // Rows of different threads a few lines apart, so that they do not meet in the same cache sets.
    constexpr std::int64_t kGapBytes = 17 * 64;
    const std::int64_t stride = (set.bytes_per_core + 3 * kGapBytes + 4095) / 4096 * 4096;
    const Arena arena(stride * cores);
    if (arena.data() == nullptr) return;
    const auto rows = [&](int thread) { return arena.data() + stride * thread; };
    RunOnEach(Cpus(cores),
              [&](int thread) { std::memset(rows(thread), 1, static_cast<std::size_t>(stride)); });
    const std::int64_t third = set.bytes_per_core / 3;
    const auto measure = [&](const char* what, auto&& make) {
      const std::string name = fmt::format("{} {}", set.level, what);
      const Measurement measurement = Measure(name, cores, make);
      report_.roofs.push_back({"bandwidth", name, "", "", cores, measurement.rate.best_per_s,
                               "measured:xsp", HowBandwidth(set, what, measurement), false});
    };
    measure("read", [&](int thread) {
      return Walk(set.bytes_per_core, 1,
                  [this, a = rows(thread)](std::int64_t at, long bytes, long passes) {
                    loops_->read(a + at, bytes, passes);
                  });
    });
    measure("write", [&](int thread) {
      return Walk(
          set.bytes_per_core, 1,
          [loop = set.streaming ? loops_->write_streaming : loops_->write, a = rows(thread)](
              std::int64_t at, long bytes, long passes) { loop(a + at, bytes, passes); });
    });
    measure("triad", [&](int thread) {
      return Walk(third, 3,
                  [loop = set.streaming ? loops_->triad_streaming : loops_->triad, a = rows(thread),
                   third](std::int64_t at, long bytes, long passes) {
                    const char* const b = a + third + kGapBytes;
                    loop(a + at, b + at, b + third + kGapBytes + at, bytes, passes);
                  });
    });
  }

  /// A chunk that goes round an array of `bytes`, a slice a time (small arrays: many passes a
  /// time); `loop(offset, bytes, passes)` touches `arrays` of them.
  template <typename Loop>
  static Chunk Walk(std::int64_t bytes, int arrays, Loop loop) {
    constexpr std::int64_t kSliceBytes = 256 * kBandwidthStep;
    const std::int64_t slice = std::min(bytes, kSliceBytes);
    const std::int64_t passes =
        bytes > kSliceBytes ? 1 : std::max<std::int64_t>(1, (1 << 20) / bytes);
    return [=, at = std::int64_t{0}]() mutable {
      const std::int64_t part = std::min(slice, bytes - at);
      loop(at, part, passes);
      at = at + part >= bytes ? 0 : at + part;
      return static_cast<double>(part) * static_cast<double>(passes) * arrays;
    };
  }

  std::string HowBandwidth(const WorkingSet& set, std::string_view what,
                           const Measurement& measurement) const {
    const bool streams = set.streaming && what != "read" && loops_->streams;
    const char* const access = what == "read"    ? "loads"
                               : what == "write" ? (streams ? "streaming stores" : "stores")
                               : streams         ? "loads and streaming stores"
                                                 : "loads and stores";
    std::string how = fmt::format("{} {}, {} KiB per core, {}", loops_->how, access,
                                  set.bytes_per_core / 1024, BestOf(measurement));
    if (what == "triad") how += ", 3 operands counted";
    if (!set.remark.empty()) how += "; " + set.remark;
    return how;
  }

  std::string Conditions() const {
    std::array<double, 1> load{};
    const bool have_load = getloadavg(load.data(), 1) == 1;
    std::string text = fmt::format("CPUs {} of {} online; {} -O3 per instruction set",
                                   os::FormatCpuList(plan_.cpus), processor_.online.size(),
                                   "compiler " __VERSION__);
    if (have_load)
      text += fmt::format("; load average {:.2f} (including the measurement)", load[0]);
    if (processor_.Has("hypervisor")) {
      text += "; virtual machine: cache sizes as reported by the hypervisor";
    }
    if (!interference_.pinned) text += "; threads could not be bound to CPUs";
    if (interference_.OffCpuShare() > kBusyShare) {
      text += fmt::format(
          "; busy: the measuring threads were kept off their CPUs for {:.0f} % of the time ({} "
          "involuntary context switches), so figures may be low; lowest median over best {:.2f} "
          "({})",
          interference_.OffCpuShare() * 100, interference_.switches, interference_.worst_median,
          interference_.worst);
    } else {
      text +=
          fmt::format("; quiet ({} involuntary context switches; lowest median over best {:.2f}{})",
                      interference_.switches, interference_.worst_median,
                      interference_.worst.empty() ? "" : ", " + interference_.worst);
    }
    return text;
  }

  const os::Processor& processor_;
  const MeasurePlan& plan_;
  const BandwidthKernel* loops_;
  Interference interference_;
  roofs::RoofReport report_;
  int steps_ = 0;
  int step_ = 0;
};

}  // namespace

roofs::RoofReport MeasureRoofs(const os::Processor& processor, const MeasurePlan& plan) {
  return Measurer(processor, plan).Run();
}

void MarkUsed(std::vector<roofs::Roof>& roofs, int cores) {
  roofs::Roof* dram = nullptr;
  for (roofs::Roof& roof : roofs) {
    roof.used = roof.kind == "flops" && roof.cores == cores && roof.value > 0;
    const bool candidate =
        roof.cores == cores && (roof.name == "DRAM read" || roof.name == "DRAM triad");
    if (candidate && roof.value > 0 && (dram == nullptr || roof.value > dram->value)) dram = &roof;
  }
  if (dram != nullptr) dram->used = true;
}

}  // namespace xsp::roof_loops
