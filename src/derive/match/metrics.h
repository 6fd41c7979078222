#ifndef XSP_DERIVE_MATCH_METRICS_H_
#define XSP_DERIVE_MATCH_METRICS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "trace/trace.h"

namespace xsp::match {

/// Finds the rows of a table that are of one span: O(1), and next to no memory where the rows are
/// in the order of their spans, as importers write them. Borrows the column.
class RowsBySpan {
 public:
  /// `spans`: of each row; none is above `span_count`.
  RowsBySpan(const trace::Column<trace::SpanId>& spans, std::size_t span_count);

  /// Numbers of rows, those of one span in the order of the table.
  class Rows {
   public:
    class Iterator {
     public:
      Iterator(const RowsBySpan& rows, std::size_t place) : rows_(&rows), place_(place) {}
      std::uint32_t operator*() const { return rows_->RowAt(place_); }
      Iterator& operator++() {
        ++place_;
        return *this;
      }
      bool operator!=(const Iterator& other) const { return place_ != other.place_; }

     private:
      const RowsBySpan* rows_;
      std::size_t place_;
    };

    Rows(const RowsBySpan& rows, std::size_t first, std::size_t last)
        : begin_(rows, first), end_(rows, last) {}
    Iterator begin() const { return begin_; }
    Iterator end() const { return end_; }

   private:
    Iterator begin_, end_;
  };

  Rows Of(trace::SpanId span) const;

 private:
  /// Spans that share an entry of first_.
  static constexpr std::size_t kBlock = 32;

  std::uint32_t RowAt(std::size_t place) const {
    return order_.empty() ? static_cast<std::uint32_t>(place) : order_[place];
  }

  const trace::Column<trace::SpanId>& spans_;
  trace::Column<std::uint32_t> order_;  ///< Rows by span; empty: they are in that order.
  trace::Column<std::uint32_t> first_;  ///< The first place of each block of spans, and the end.
};

/// Finds the metrics and attributes of one span in a trace. Borrows the trace.
class SpanValues {
 public:
  explicit SpanValues(const trace::Trace& trace);

  /// Rows of trace.metrics of `span`.
  RowsBySpan::Rows MetricsOf(trace::SpanId span) const { return metrics_.Of(span); }

  /// The value of metric `name` (of the pool, see Find) on `span`.
  std::optional<double> Metric(trace::SpanId span, trace::StringId name) const;

  /// The text of attribute `key` (of the pool) on `span`; empty: it has none.
  std::string_view Attribute(trace::SpanId span, trace::StringId key) const;

  /// The id of `text` in the trace's pool; 0: it holds no such text, so nothing has that name.
  trace::StringId Find(std::string_view text) const;

  const trace::Trace& trace() const { return trace_; }

 private:
  const trace::Trace& trace_;
  RowsBySpan metrics_, attributes_;
};

/// What one kernel computes and moves, as far as its metrics say.
struct KernelWork {
  std::optional<double> flops, read_bytes, write_bytes, occupancy;
  std::string flops_provenance, traffic_provenance;
  std::string dtype, unit;  ///< Of the flops metric with the most FLOPs.
  /// Of the operator that a device kernel works for, a product or convolution; empty: not known.
  std::string problem;
};

/// 0 measured, 1 reported, 2 analytic, 3 anything else: the smaller one counts.
int ProvenanceRank(std::string_view provenance);

/// Reads a kernel's metrics. Where several provenances tell the same, the best one counts alone:
/// measured before reported before analytic (design, section 2); they are never added up.
KernelWork ReadKernelWork(const SpanValues& values, trace::SpanId kernel);

/// Takes from `other` (another run's) what it knows with better provenance.
void TakeBetter(KernelWork& work, const KernelWork& other);

}  // namespace xsp::match

#endif  // XSP_DERIVE_MATCH_METRICS_H_
