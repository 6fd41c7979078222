#ifndef XSP_MEASURE_ROOF_LOOPS_GPU_ROOFS_H_
#define XSP_MEASURE_ROOF_LOOPS_GPU_ROOFS_H_

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "derive/roofs/roof.h"

namespace xsp::roof_loops {

/// The roofs of one GPU; roof.cores is 0: the whole device.
struct GpuRoofs {
  int device = 0;    ///< Ordinal, as CUDA counts.
  std::string name;  ///< As the driver prints it.
  roofs::RoofReport report;
};

struct GpuMeasureOptions {
  bool again = false;  ///< Measure even when a cached report of this GPU exists.
  std::function<void(std::string_view step, double fraction)> progress;  ///< May be empty.
};

/// Whether an NVIDIA driver is loaded; a look at the file system only.
bool HasNvidiaDriver();

/// The roofs of every GPU that the program `xsp-roofs-cuda` (roofs/cuda; looked for in
/// os::WorkerFolders()) sees: from the cache (CacheFolder()/roofs) where it holds them for this
/// GPU and driver, else measured (about half a minute each) and cached. Errors: kNotPossible when
/// the program is not there (hint: how to get it) or sees no GPU, kEnvironment when it fails,
/// hangs or prints something else. Blocks.
Result<std::vector<GpuRoofs>> MeasuredGpuRoofs(const GpuMeasureOptions& options);

/// Those of the GPU that the driver calls `name`, with rows of its data sheet where these are to be
/// used (roofs::UseDataSheetWhereLower). Errors: as above; kNotPossible when the program sees none
/// of that name.
Result<roofs::RoofReport> MeasuredRoofsOfGpu(std::string_view name,
                                             const GpuMeasureOptions& options);

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_GPU_ROOFS_H_
