#ifndef XSP_CAPTURE_MONITOR_NVML_NVML_API_H_
#define XSP_CAPTURE_MONITOR_NVML_NVML_API_H_

#include "core/result.h"

namespace xsp::monitor::nvml {

// The part of NVIDIA's management library (libnvidia-ml.so.1) that is used here, declared anew from
// its documentation (NVML API reference): its C interface is stable, its header is not everywhere.

using Device = void*;
constexpr int kSuccess = 0;

struct Utilization {
  unsigned gpu;     ///< Per cent of the last period in which a kernel ran.
  unsigned memory;  ///< Per cent in which device memory was read or written.
};
struct Memory {
  unsigned long long total, free, used;  ///< Bytes; `used` has the driver's own part in it.
};
enum Clock : int { kClockSm = 1, kClockMemory = 2 };
enum PcieCounter : int { kPcieSent = 0, kPcieReceived = 1 };

/// nvmlValueType_t
enum ValueType : unsigned { kDouble = 0, kUnsigned = 1, kUnsignedLong = 2, kUnsignedLongLong = 3 };
/// nvmlFieldValue_t
struct FieldValue {
  unsigned field, scope;
  long long timestamp_us, latency_us;
  unsigned type;  ///< ValueType
  int result;
  union {
    double as_double;
    unsigned as_unsigned;
    unsigned long as_unsigned_long;
    unsigned long long as_unsigned_long_long;
  } value;
};
static_assert(sizeof(FieldValue) == 40);

/// KiB since the driver was loaded, without protocol. Scope: a link, or kAllLinks.
constexpr unsigned kFieldNvlinkSentKib = 138, kFieldNvlinkReceivedKib = 139;
/// Bytes; from driver 550 on.
constexpr unsigned kFieldPcieSentBytes = 197, kFieldPcieReceivedBytes = 198;
constexpr unsigned kAllLinks = ~0u;
/// NVML_FI_DEV_POWER_INSTANT: milliwatts at this moment. Scope: 0, the GPU without its module.
constexpr unsigned kFieldInstantPowerMw = 186;

/// The entry points. Each may be null: a driver lacks what came after it.
struct Api {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_string)(int) = nullptr;
  int (*device_count)(unsigned*) = nullptr;
  int (*device)(unsigned index, Device*) = nullptr;
  int (*name)(Device, char*, unsigned length) = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*memory)(Device, Memory*) = nullptr;
  int (*clock_mhz)(Device, int clock, unsigned*) = nullptr;
  int (*throttle_reasons)(Device, unsigned long long*) = nullptr;
  /// Of the last second on Ampere (but GA100) and later; of this moment on earlier ones.
  int (*power_mw)(Device, unsigned*) = nullptr;
  /// Since the driver was loaded; from Volta on.
  int (*energy_mj)(Device, unsigned long long*) = nullptr;
  int (*temperature_c)(Device, int sensor, unsigned*) = nullptr;
  int (*pcie_kib_per_s)(Device, int counter, unsigned*) = nullptr;
  int (*field_values)(Device, int count, FieldValue*) = nullptr;
};

/// The library's functions; it stays loaded. Errors: kNotPossible where it cannot be loaded or
/// lacks what nothing works without.
Result<Api> LoadApi();

}  // namespace xsp::monitor::nvml

#endif  // XSP_CAPTURE_MONITOR_NVML_NVML_API_H_
