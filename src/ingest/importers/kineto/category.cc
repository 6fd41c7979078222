#include "ingest/importers/kineto/category.h"

#include <algorithm>
#include <array>

namespace xsp::importers::kineto {
namespace {

struct Spelling {
  std::string_view name;
  Category category;
};

// PyTorch 1.8 wrote Operator, Runtime, Kernel, Memcpy, Memset and async; 1.12 and later the lower
// case ones; ROCm writes the CUDA names. Kineto: libkineto/src/ActivityType.cpp, output_json.cpp.
constexpr std::array kSpellings = {
    Spelling{"cpu_op", Category::kOperator},
    Spelling{"Operator", Category::kOperator},
    Spelling{"user_annotation", Category::kAnnotation},
    Spelling{"gpu_user_annotation", Category::kDeviceAnnotation},
    Spelling{"python_function", Category::kPython},
    Spelling{"kernel", Category::kKernel},
    Spelling{"Kernel", Category::kKernel},
    Spelling{"concurrent_kernel", Category::kKernel},
    Spelling{"gpu_memcpy", Category::kMemcpy},
    Spelling{"Memcpy", Category::kMemcpy},
    Spelling{"gpu_memset", Category::kMemset},
    Spelling{"Memset", Category::kMemset},
    Spelling{"cuda_runtime", Category::kRuntime},
    Spelling{"Runtime", Category::kRuntime},
    Spelling{"hip_runtime", Category::kRuntime},
    Spelling{"xpu_runtime", Category::kRuntime},
    Spelling{"privateuse1_runtime", Category::kRuntime},
    Spelling{"mtia_runtime", Category::kRuntime},
    Spelling{"cuda_driver", Category::kDriver},
    Spelling{"privateuse1_driver", Category::kDriver},
    Spelling{"xpu_driver", Category::kDriver},
    Spelling{"cuda_sync", Category::kSync},
    Spelling{"cuda_profiler_range", Category::kCounters},
    Spelling{"overhead", Category::kOverhead},
    Spelling{"Trace", Category::kWindow},
    Spelling{"ac2g", Category::kLaunchFlow},
    Spelling{"async", Category::kLaunchFlow},
    Spelling{"async_cpu_to_gpu", Category::kLaunchFlow},
    Spelling{"fwdbwd", Category::kForwardBackward},
    Spelling{"forward_backward", Category::kForwardBackward},
    Spelling{"cpu_instant_event", Category::kMemory},
};

/// Names of one length stand together: there are few of them, and every event asks.
constexpr auto MakeByLength() {
  auto sorted = kSpellings;
  std::sort(sorted.begin(), sorted.end(), [](const Spelling& a, const Spelling& b) {
    return a.name.size() != b.name.size() ? a.name.size() < b.name.size() : a.name < b.name;
  });
  return sorted;
}
constexpr auto kByLength = MakeByLength();

}  // namespace

Category CategoryOf(std::string_view name) {
  const auto first = std::partition_point(
      kByLength.begin(), kByLength.end(),
      [&](const Spelling& spelling) { return spelling.name.size() < name.size(); });
  for (auto it = first; it != kByLength.end() && it->name.size() == name.size(); ++it)
    if (it->name == name) return it->category;
  return Category::kUnknown;
}

bool OnDevice(Category category) {
  switch (category) {
    case Category::kKernel:
    case Category::kMemcpy:
    case Category::kMemset:
    case Category::kSync:
    case Category::kCounters:
    case Category::kDeviceAnnotation:
      return true;
    default:
      return false;
  }
}

}  // namespace xsp::importers::kineto
