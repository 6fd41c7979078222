#include "capture/monitor/nvml/nvml.h"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "capture/monitor/rate.h"

namespace xsp::monitor::nvml {

namespace {

constexpr const char* kNoSuchCall = "the driver has no such call";
constexpr double kHertzPerMegahertz = 1e6;
constexpr double kBytesPerKib = 1024;
constexpr double kMilliwattsPerWatt = 1e3;
constexpr double kWattsPerMillijoulePerNs = 1e6;

/// Bits of nvmlDeviceGetCurrentClocksThrottleReasons that slow a GPU down; idleness and clocks that
/// somebody set are none.
struct Reason {
  const char* name;
  unsigned long long bit;
};
constexpr std::array<Reason, 6> kReasons = {{{"nvml.throttled_by_power_cap", 0x4},
                                             {"nvml.throttled_by_hardware", 0x8},
                                             {"nvml.throttled_by_sync_boost", 0x10},
                                             {"nvml.throttled_by_heat", 0x20},
                                             {"nvml.throttled_by_hardware_heat", 0x40},
                                             {"nvml.throttled_by_power_brake", 0x80}}};

/// Two counters of one kind of traffic that a device states as fields.
struct FieldTraffic {
  unsigned sent_field, received_field;
  double bytes;  ///< Of one unit.
  std::size_t sent_channel = 0, received_channel = 0;
  bool there = false;
  Rate sent = Rate(), received = Rate();
};

/// Mean power from a counter of energy that moves in steps of its own. It has a value where the
/// counter moved, of the time since it moved before: a step may be longer than what lies between
/// two samples, and then most of these tell nothing. When the first step began is not known.
class SteppedPower {
 public:
  /// Watts; kUnknown where it did not move since the call before, or where no step ended before
  /// that. Nothing: the counter could not be read.
  double Advance(std::optional<unsigned long long> millijoules, std::int64_t now_ns) {
    if (!millijoules || millijoules == before_ || now_ns <= moved_ns_.value_or(now_ns - 1))
      return kUnknown;
    const std::optional<unsigned long long> before = std::exchange(before_, millijoules);
    const bool was_set_back = before && *millijoules < *before;
    if (!before || was_set_back) {
      moved_ns_.reset();
      return kUnknown;
    }
    const std::optional<std::int64_t> began_ns = std::exchange(moved_ns_, now_ns);
    if (!began_ns) return kUnknown;
    return static_cast<double>(*millijoules - *before) * kWattsPerMillijoulePerNs /
           static_cast<double>(now_ns - *began_ns);
  }

 private:
  std::optional<unsigned long long> before_;
  std::optional<std::int64_t> moved_ns_;
};

struct Gpu {
  Device device = nullptr;
  std::int64_t ordinal = 0;
  std::string part;  ///< "gpu 0"
  std::optional<std::size_t> busy, memory_busy, memory_used, sm_clock, memory_clock, reasons, power,
      mean_power, instant_power, temperature;
  SteppedPower stepped_power;
  FieldTraffic nvlink{kFieldNvlinkSentKib, kFieldNvlinkReceivedKib, kBytesPerKib};
  FieldTraffic pcie{kFieldPcieSentBytes, kFieldPcieReceivedBytes, 1};
};

/// A direction of a GPU whose PCIe traffic NVML measures in the call.
struct SlowTraffic {
  Device device;
  int counter;
  std::size_t channel;
};

class NvmlSampler : public Sampler {
 public:
  explicit NvmlSampler(const Api& api) : api_(api) {
    const int started = api_.init();
    if (started != kSuccess) {
      Hide("nvml", "NVML does not start: " + ErrorText(started));
      return;
    }
    is_started_ = true;
    unsigned count = 0;
    const int counted = api_.device_count(&count);
    if (counted != kSuccess) Hide("nvml", "NVML does not list devices: " + ErrorText(counted));
    if (counted == kSuccess && count == 0) Hide("nvml", "the NVIDIA driver has no device here");
    for (unsigned i = 0; counted == kSuccess && i < count; ++i) OpenGpu(i);
  }

  ~NvmlSampler() override {
    if (is_started_ && api_.shutdown != nullptr) api_.shutdown();
  }

  void Sample(std::int64_t now_ns, std::span<double> values) override {
    for (Gpu& gpu : gpus_) {
      SampleState(gpu, values);
      SampleEnergy(gpu, now_ns, values);
      SampleFields(gpu, gpu.nvlink, kAllLinks, now_ns, values);
      SampleFields(gpu, gpu.pcie, 0, now_ns, values);
    }
    if (slow_.empty()) return;
    const SlowTraffic& turn = slow_[next_slow_++ % slow_.size()];
    unsigned kib_per_s = 0;
    if (api_.pcie_kib_per_s(turn.device, turn.counter, &kib_per_s) == kSuccess)
      values[turn.channel] = kib_per_s * kBytesPerKib;
  }

 private:
  std::string ErrorText(int result) const {
    const char* text = api_.error_string != nullptr ? api_.error_string(result) : nullptr;
    return text != nullptr ? text : fmt::format("error {}", result);
  }

  void OpenGpu(unsigned index) {
    Gpu gpu;
    gpu.ordinal = index;
    gpu.part = fmt::format("gpu {}", index);
    const int opened = api_.device(index, &gpu.device);
    if (opened != kSuccess) {
      Hide("nvml", fmt::format("{}: {}", gpu.part, ErrorText(opened)));
      return;
    }
    Utilization utilization;
    Memory memory;
    unsigned number = 0;
    unsigned long long bits = 0;
    Offer(gpu, api_.utilization, "nvml.gpu_busy_share", "1", gpu.busy, &utilization);
    if (gpu.busy) gpu.memory_busy = AddTo(gpu, "nvml.memory_busy_share", "1");
    Offer(gpu, api_.memory, "nvml.memory_used_bytes", "byte", gpu.memory_used, &memory);
    Offer(gpu, api_.clock_mhz, "nvml.sm_clock_hz", "Hz", gpu.sm_clock, int{kClockSm}, &number);
    Offer(gpu, api_.clock_mhz, "nvml.memory_clock_hz", "Hz", gpu.memory_clock, int{kClockMemory},
          &number);
    Offer(gpu, api_.power_mw, "nvml.power_watts", "watt", gpu.power, &number);
    OpenEnergy(gpu);
    Offer(gpu, api_.temperature_c, "nvml.temperature_celsius", "celsius", gpu.temperature, 0,
          &number);
    Offer(gpu, api_.throttle_reasons, kReasons[0].name, "1", gpu.reasons, &bits);
    for (std::size_t i = 1; gpu.reasons && i < kReasons.size(); ++i)
      AddTo(gpu, kReasons[i].name, "1");
    OpenFields(gpu, gpu.nvlink, kAllLinks, "nvml.nvlink");
    OpenPcie(gpu);
    gpus_.push_back(std::move(gpu));
  }

  std::size_t AddTo(const Gpu& gpu, std::string name, std::string unit, bool sparse = false) {
    return Add({std::move(name), std::move(unit), gpu.part, gpu.ordinal, sparse});
  }

  void HideOf(const Gpu& gpu, std::string name, const std::string& why) {
    Hide(std::move(name), fmt::format("{}: {}", gpu.part, why));
  }

  /// A channel where `call` works on the device, else the reason why there is none.
  template <typename... Types, typename... Arguments>
  void Offer(const Gpu& gpu, int (*call)(Device, Types...), const char* name, const char* unit,
             std::optional<std::size_t>& channel, Arguments... arguments) {
    if (call == nullptr) return HideOf(gpu, name, kNoSuchCall);
    const int result = call(gpu.device, arguments...);
    if (result != kSuccess) return HideOf(gpu, name, ErrorText(result));
    channel = AddTo(gpu, name, unit);
  }

  /// What tells energy: the counter of it, else power of a moment.
  void OpenEnergy(Gpu& gpu) {
    unsigned long long millijoules = 0;
    const bool has_call = api_.energy_mj != nullptr;
    const int result = has_call ? api_.energy_mj(gpu.device, &millijoules) : kSuccess;
    if (has_call && result == kSuccess) {
      gpu.mean_power = AddTo(gpu, "nvml.mean_power_watts", "watt", /*sparse=*/true);
      return;
    }
    HideOf(gpu, "nvml.energy",
           "no counter of energy: " + (has_call ? ErrorText(result) : kNoSuchCall));
    if (InstantWatts(gpu)) gpu.instant_power = AddTo(gpu, "nvml.instant_power_watts", "watt");
  }

  /// Nothing: the device does not tell.
  std::optional<double> InstantWatts(const Gpu& gpu) const {
    if (api_.field_values == nullptr) return std::nullopt;
    FieldValue field = {};
    field.field = kFieldInstantPowerMw;
    const int result = api_.field_values(gpu.device, 1, &field);
    if (result != kSuccess || field.result != kSuccess) return std::nullopt;
    switch (field.type) {
      case kUnsigned:
        return field.value.as_unsigned / kMilliwattsPerWatt;
      case kUnsignedLong:
        return static_cast<double>(field.value.as_unsigned_long) / kMilliwattsPerWatt;
      case kUnsignedLongLong:
        return static_cast<double>(field.value.as_unsigned_long_long) / kMilliwattsPerWatt;
      default:
        return std::nullopt;
    }
  }

  /// Both fields as they are now; false: one of them cannot be read, for the reason `result`.
  bool ReadFields(const Gpu& gpu, const FieldTraffic& traffic, unsigned scope,
                  std::uint64_t (&numbers)[2], int& result) const {
    FieldValue fields[2] = {};
    fields[0].field = traffic.sent_field;
    fields[1].field = traffic.received_field;
    fields[0].scope = fields[1].scope = scope;
    result = api_.field_values(gpu.device, 2, fields);
    for (int i = 0; i < 2 && result == kSuccess; ++i) {
      result = fields[i].result;
      numbers[i] = fields[i].type == kUnsignedLong ? fields[i].value.as_unsigned_long
                                                   : fields[i].value.as_unsigned_long_long;
      // 32 bits of bytes are full within a tenth of a second: how often is unknown.
      if (fields[i].type != kUnsignedLong && fields[i].type != kUnsignedLongLong) return false;
    }
    return result == kSuccess;
  }

  void OpenFields(Gpu& gpu, FieldTraffic& traffic, unsigned scope, const std::string& name) {
    std::uint64_t numbers[2];
    int result = kSuccess;
    if (api_.field_values == nullptr) return HideOf(gpu, name, kNoSuchCall);
    if (!ReadFields(gpu, traffic, scope, numbers, result)) {
      return HideOf(gpu, name,
                    result == kSuccess ? "its counters are too narrow" : ErrorText(result));
    }
    traffic.sent_channel = AddTo(gpu, name + "_sent_bytes_per_s", "byte/s");
    traffic.received_channel = AddTo(gpu, name + "_received_bytes_per_s", "byte/s");
    traffic.there = true;
  }

  void OpenPcie(Gpu& gpu) {
    std::uint64_t numbers[2];
    int result = kSuccess;
    if (api_.field_values != nullptr && ReadFields(gpu, gpu.pcie, 0, numbers, result))
      return OpenFields(gpu, gpu.pcie, 0, "nvml.pcie");
    unsigned kib_per_s = 0;
    if (api_.pcie_kib_per_s == nullptr) return HideOf(gpu, "nvml.pcie", kNoSuchCall);
    result = api_.pcie_kib_per_s(gpu.device, kPcieSent, &kib_per_s);
    if (result != kSuccess) return HideOf(gpu, "nvml.pcie", ErrorText(result));
    slow_.push_back({gpu.device, kPcieSent,
                     AddTo(gpu, "nvml.pcie_sent_bytes_per_s", "byte/s", /*sparse=*/true)});
    slow_.push_back({gpu.device, kPcieReceived,
                     AddTo(gpu, "nvml.pcie_received_bytes_per_s", "byte/s", /*sparse=*/true)});
  }

  void SampleState(const Gpu& gpu, std::span<double> values) const {
    Utilization utilization{};
    if (gpu.busy && api_.utilization(gpu.device, &utilization) == kSuccess) {
      values[*gpu.busy] = utilization.gpu / 100.0;
      values[*gpu.memory_busy] = utilization.memory / 100.0;
    }
    Memory memory{};
    if (gpu.memory_used && api_.memory(gpu.device, &memory) == kSuccess)
      values[*gpu.memory_used] = static_cast<double>(memory.used);
    unsigned number = 0;
    if (gpu.sm_clock && api_.clock_mhz(gpu.device, kClockSm, &number) == kSuccess)
      values[*gpu.sm_clock] = number * kHertzPerMegahertz;
    if (gpu.memory_clock && api_.clock_mhz(gpu.device, kClockMemory, &number) == kSuccess)
      values[*gpu.memory_clock] = number * kHertzPerMegahertz;
    if (gpu.power && api_.power_mw(gpu.device, &number) == kSuccess)
      values[*gpu.power] = number / kMilliwattsPerWatt;
    if (gpu.temperature && api_.temperature_c(gpu.device, 0, &number) == kSuccess)
      values[*gpu.temperature] = number;
    unsigned long long bits = 0;
    if (!gpu.reasons || api_.throttle_reasons(gpu.device, &bits) != kSuccess) return;
    for (std::size_t i = 0; i < kReasons.size(); ++i)
      values[*gpu.reasons + i] = (bits & kReasons[i].bit) != 0 ? 1 : 0;
  }

  void SampleEnergy(Gpu& gpu, std::int64_t now_ns, std::span<double> values) const {
    if (gpu.mean_power) {
      unsigned long long millijoules = 0;
      std::optional<unsigned long long> read;
      if (api_.energy_mj(gpu.device, &millijoules) == kSuccess) read = millijoules;
      values[*gpu.mean_power] = gpu.stepped_power.Advance(read, now_ns);
    }
    if (gpu.instant_power) values[*gpu.instant_power] = InstantWatts(gpu).value_or(kUnknown);
  }

  void SampleFields(const Gpu& gpu, FieldTraffic& traffic, unsigned scope, std::int64_t now_ns,
                    std::span<double> values) const {
    if (!traffic.there) return;
    std::uint64_t numbers[2];
    int result = kSuccess;
    const bool read = ReadFields(gpu, traffic, scope, numbers, result);
    using Number = std::optional<std::uint64_t>;
    const Number sent = read ? Number(numbers[0]) : Number();
    const Number received = read ? Number(numbers[1]) : Number();
    values[traffic.sent_channel] = traffic.sent.Advance(sent, now_ns) * traffic.bytes;
    values[traffic.received_channel] = traffic.received.Advance(received, now_ns) * traffic.bytes;
  }

  Api api_;
  bool is_started_ = false;
  std::vector<Gpu> gpus_;
  std::vector<SlowTraffic> slow_;
  std::size_t next_slow_ = 0;
};

/// A machine without the library.
class NoNvml : public Sampler {
 public:
  explicit NoNvml(std::string why) { Hide("nvml", std::move(why)); }
  void Sample(std::int64_t, std::span<double>) override {}
};

std::unique_ptr<Sampler> Open(const collect::MachineFiles&) {
  const Result<Api> api = LoadApi();
  if (!api.ok()) return std::make_unique<NoNvml>(api.error().what);
  return OpenWith(api.value());
}

}  // namespace

std::unique_ptr<Sampler> OpenWith(const Api& api) { return std::make_unique<NvmlSampler>(api); }

constinit const SamplerSpec kSpec{
    .name = "nvml",
    .summary = "Of each NVIDIA GPU: use, memory, clocks, throttling, power, heat, PCIe, NVLink",
    .open = Open};

}  // namespace xsp::monitor::nvml
