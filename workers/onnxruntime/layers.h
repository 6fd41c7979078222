#ifndef XSP_WORKERS_ONNXRUNTIME_LAYERS_H_
#define XSP_WORKERS_ONNXRUNTIME_LAYERS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"
#include "onnxruntime/explained_session.h"
#include "onnxruntime/profile_file.h"
#include "onnxruntime/runtime.h"
#include "onnxruntime/scratch_folder.h"

namespace xsp::worker_onnxruntime {

/// While it lives, runs can be profiled: each writes a file, into a folder beside the recording.
/// The files are read when many are there, and at the end: reading one between two calls would
/// leave the next one cold caches and sleeping threads. Not for several threads.
class LayerProfile {
 public:
  /// With `details`, shapes, types, memory and what `explanation` has are recorded, too; it must
  /// live as long. Throws WorkerError.
  LayerProfile(bool details, const Explanation& explanation);
  ~LayerProfile();
  LayerProfile(const LayerProfile&) = delete;
  LayerProfile& operator=(const LayerProfile&) = delete;

  /// Right before a run: its options.
  const OrtRunOptions* BeginRun();

  /// After it: keeps its profile, whose nodes become layers inside `call`. Throws WorkerError when
  /// the library wrote none.
  void Keep(xsp_span call);

  /// Records what was kept. Throws std::filesystem::filesystem_error.
  void Flush();

 private:
  struct Run {
    std::filesystem::path file;
    xsp_span call;
    std::uint64_t origin_ns;
  };

  void Record(const Run& run);
  void RecordDetails(const Node& node, xsp_span layer) const;
  void RecordMemory(const std::vector<Node>& nodes, xsp_span call) const;

  bool details_;
  const Explanation& explanation_;
  ScratchFolder folder_;
  RunOptions options_;
  std::uint64_t origin_ns_ = 0;
  std::vector<Run> kept_;
  std::size_t unreadable_ = 0;
};

}  // namespace xsp::worker_onnxruntime

#endif  // XSP_WORKERS_ONNXRUNTIME_LAYERS_H_
