#ifndef XSP_MATCH_METRICS_H_
#define XSP_MATCH_METRICS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace xsp::match {

/// Finds the metrics and attributes of one span in a trace. Borrows the trace.
class SpanValues {
 public:
  explicit SpanValues(const trace::Trace& trace);

  /// Rows of trace.metrics of `span`.
  std::span<const std::uint32_t> MetricsOf(trace::SpanId span) const {
    return Slice(metric_first_, metric_rows_, span);
  }

  /// The value of metric `name` (of the pool, see Find) on `span`.
  std::optional<double> Metric(trace::SpanId span, trace::StringId name) const;

  /// The text of attribute `key` (of the pool) on `span`; empty: it has none.
  std::string_view Attribute(trace::SpanId span, trace::StringId key) const;

  /// The id of `text` in the trace's pool; 0: it holds no such text, so nothing has that name.
  trace::StringId Find(std::string_view text) const;

  const trace::Trace& trace() const { return trace_; }

 private:
  static std::span<const std::uint32_t> Slice(const std::vector<std::uint32_t>& first,
                                              const std::vector<std::uint32_t>& rows,
                                              trace::SpanId span) {
    return {rows.data() + first[span], rows.data() + first[span + 1]};
  }

  const trace::Trace& trace_;
  std::vector<std::uint32_t> metric_first_, metric_rows_;
  std::vector<std::uint32_t> attribute_first_, attribute_rows_;
};

/// What one kernel computes and moves, as far as its metrics say.
struct KernelWork {
  std::optional<double> flops, read_bytes, write_bytes, occupancy;
  std::string flops_provenance, traffic_provenance;
  std::string dtype, unit;  ///< Of the flops metric with the most FLOPs.
};

/// 0 measured, 1 reported, 2 analytic, 3 anything else: the smaller one counts.
int ProvenanceRank(std::string_view provenance);

/// Reads a kernel's metrics. Where several provenances tell the same, the best one counts alone:
/// measured before reported before analytic (design, section 2); they are never added up.
KernelWork ReadKernelWork(const SpanValues& values, trace::SpanId kernel);

/// Takes from `other` (another run's) what it knows with better provenance.
void TakeBetter(KernelWork& work, const KernelWork& other);

}  // namespace xsp::match

#endif  // XSP_MATCH_METRICS_H_
