#ifndef XSP_WORKERS_OPENVINO_COUNTERS_H_
#define XSP_WORKERS_OPENVINO_COUNTERS_H_

#include <cstdint>
#include <openvino/openvino.hpp>
#include <vector>

#include "capture/wire/xsp.h"
#include "openvino/node_table.h"

namespace xsp::worker_openvino {

/// Records the nodes that a plugin counted as layer spans of `call`, which ran from `start_ns` to
/// `end_ns` (CLOCK_MONOTONIC). Counters have durations only, in whole microseconds: the nodes are
/// laid one after another in their order of execution from the call's start, those without a
/// duration left out. Where they are longer than the call together (the CPU plugin's are means of
/// all calls), all are shortened alike, and the call says by how much: metric counter_scale.
/// Attribute `placed` of the call: "in sequence".
void RecordCounters(xsp_span call, std::uint64_t start_ns, std::uint64_t end_ns,
                    const std::vector<ov::ProfilingInfo>& counters, const NodeTable& nodes,
                    bool with_details);

}  // namespace xsp::worker_openvino

#endif  // XSP_WORKERS_OPENVINO_COUNTERS_H_
