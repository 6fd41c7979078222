#ifndef XSP_WORKERS_OPENVINO_TASK_OBSERVER_H_
#define XSP_WORKERS_OPENVINO_TASK_OBSERVER_H_

#include <memory>

#include "capture/wire/xsp.h"
#include "openvino/node_table.h"

namespace xsp::worker_openvino {

/// OpenVINO announces what it executes through the Instrumentation and Tracing Technology API
/// (ITT): one task per node, on the thread that executes it, from start to end. The API looks for a
/// library that listens to it; task_observer.cc makes this program that library.

/// What a layer's span has besides its times.
enum class LayerDetail { kTimes, kImplementation, kShapes };

/// Makes this program the listener. Before OpenVINO loads its first plugin, from the only thread.
/// Returns false, and changes nothing, when the environment names another listener
/// (INTEL_LIBITTNOTIFY64).
bool ListenToTasks();

/// From now on every node is recorded as a layer span. Until then a task costs OpenVINO two
/// comparisons. Not during a call.
void StartLayers(std::shared_ptr<const NodeTable> nodes, LayerDetail detail);
void StopLayers();

/// Around one call, on the thread that makes it: nodes that OpenVINO executes on other threads
/// become children of `call` there.
void BeginCall(xsp_span call);
void EndCall();

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_TASK_OBSERVER_H_
