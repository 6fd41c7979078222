#ifndef XSP_INGEST_IMPORTERS_KINETO_CATEGORY_H_
#define XSP_INGEST_IMPORTERS_KINETO_CATEGORY_H_

#include <cstdint>
#include <string_view>

namespace xsp::importers::kineto {

/// What the events of a category are, whatever the era spells it.
enum class Category : std::uint8_t {
  kUnknown,
  kOperator,
  kAnnotation,        ///< record_function, profiler steps.
  kDeviceAnnotation,  ///< The same, as long as the work it launched on a stream.
  kPython,            ///< Python functions and modules.
  kKernel,
  kMemcpy,
  kMemset,
  kRuntime,  ///< Calls of the CUDA or HIP runtime.
  kDriver,
  kSync,      ///< What a stream or the device waited for, as the device saw it.
  kCounters,  ///< A kernel again, with hardware counters.
  kOverhead,  ///< Of the profiler itself.
  kWindow,    ///< The profiler's own span around everything.
  kLaunchFlow,
  kForwardBackward,
  kMemory,  ///< [memory] instants.
};

/// The category of that name; kUnknown for none of ours.
Category CategoryOf(std::string_view name);

/// Whether its spans lie on a device's stream, not on a thread.
bool OnDevice(Category category);

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_CATEGORY_H_
