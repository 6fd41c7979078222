#ifndef XSP_WORKERS_OPENVINO_SETTINGS_H_
#define XSP_WORKERS_OPENVINO_SETTINGS_H_

#include <openvino/openvino.hpp>
#include <string>

#include "harness/worker.h"

namespace xsp::worker_openvino {

/// Where layers come from: the tasks that the CPU plugin announces as it executes them, or the
/// plugin's counters, read after each call.
enum class LayerSource { kTasks, kCounters };

/// The settings of a job in OpenVINO's words.
struct Settings {
  std::string device;  ///< "CPU", "GPU.0", ...
  ov::AnyMap properties;
  LayerSource layers;
  bool is_static;  ///< The graph is compiled for the shapes of the inputs.
};

/// Throws WorkerError (usage) for an option's value that OpenVINO would not take.
Settings SettingsOf(const xsp_worker_job& job);

/// The options of describe(), as JSON.
std::string OptionsOffered();

/// "gpu.0" for OpenVINO's "GPU.0".
std::string DeviceName(const std::string& device);

/// The name in our vocabulary of an element type: "bfloat16" for bf16; OpenVINO's own where we have
/// none.
std::string TypeName(const ov::element::Type& type);

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_SETTINGS_H_
