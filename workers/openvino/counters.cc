#include "openvino/counters.h"

#include <algorithm>
#include <string_view>

#include "harness/fact.h"

namespace xsp::worker_openvino {

using worker::Intern;

namespace {

struct Counted {
  const ov::ProfilingInfo* info;
  std::size_t order;
  double duration_ns;
};

std::vector<Counted> InOrder(const std::vector<ov::ProfilingInfo>& counters,
                             const NodeTable& nodes) {
  std::vector<Counted> counted;
  for (const ov::ProfilingInfo& info : counters) {
    const double duration_ns = static_cast<double>(info.real_time.count()) * 1e3;
    if (info.status != ov::ProfilingInfo::Status::EXECUTED || duration_ns <= 0) continue;
    counted.push_back({&info, nodes.Order(info.node_name), duration_ns});
  }
  std::stable_sort(counted.begin(), counted.end(),
                   [](const Counted& a, const Counted& b) { return a.order < b.order; });
  return counted;
}

Node NodeOf(const ov::ProfilingInfo& info, const NodeTable& nodes) {
  if (const Node* known = nodes.Find(info.node_name)) return *known;
  Node node;
  node.name = Intern(info.node_name);
  node.type = Intern(info.node_type);
  node.implementation = info.exec_type;
  return node;
}

}  // namespace

void RecordCounters(xsp_span call, std::uint64_t start_ns, std::uint64_t end_ns,
                    const std::vector<ov::ProfilingInfo>& counters, const NodeTable& nodes,
                    bool with_details) {
  constexpr std::string_view kPlaced = "in sequence";
  const std::vector<Counted> counted = InOrder(counters, nodes);
  double total_ns = 0;
  for (const Counted& one : counted) total_ns += one.duration_ns;
  const double call_ns = static_cast<double>(end_ns - start_ns);
  const double scale = total_ns > call_ns ? call_ns / total_ns : 1;
  double at_ns = 0;
  for (const Counted& one : counted) {
    const Node node = NodeOf(*one.info, nodes);
    const double duration_ns = one.duration_ns * scale;
    const xsp_span span = xsp_complete_in(call, XSP_LEVEL_LAYER, node.type, node.name,
                                          start_ns + static_cast<std::uint64_t>(at_ns),
                                          static_cast<std::uint64_t>(duration_ns));
    at_ns += duration_ns;
    if (with_details) DescribeLayer(span, node, true);
  }
  if (!call) return;
  xsp_attribute(call, Intern("placed"), kPlaced.data(), kPlaced.size());
  xsp_metric(call, Intern("counter_scale"), scale, Intern("1"), Intern("measured:harness"));
}

}  // namespace xsp::worker_openvino
