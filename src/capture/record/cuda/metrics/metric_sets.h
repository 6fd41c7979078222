#ifndef XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_SETS_H_
#define XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_SETS_H_

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::record::cuda {

/// A metric of ours and what it is made of: the sum of raw value x factor.
struct DerivedMetric {
  struct Term {
    std::size_t raw;  ///< Index into MetricPlan::raw.
    double factor;
  };
  std::string name;  ///< "dram_read_bytes"; of one that was asked for by its raw name, that name.
  std::string unit;  ///< "flop", "byte", "1".
  std::vector<Term> terms;
};

/// What is to be measured on one chip.
struct MetricPlan {
  std::vector<std::string> raw;  ///< Names of PerfWorks, each once.
  std::vector<DerivedMetric> derived;
  std::vector<std::string> unknown_sets;  ///< Asked for, but neither a set nor a raw name.
  std::vector<std::string> missing;       ///< Metrics that this chip does not have, in our names.
};

/// Whether a chip has a raw metric.
using HasRawMetric = std::function<bool(const std::string& raw)>;

/// The table of sets (machine/cuda_metrics.csv, which tells its form), read once.
class MetricTable {
 public:
  /// Lines that cannot be read are left out and counted.
  explicit MetricTable(std::string_view csv);

  /// The sets that it knows, in its order.
  const std::vector<std::string>& sets() const { return sets_; }
  std::size_t damaged_lines() const { return damaged_lines_; }

  /// Resolves `asked` ("roofline,sm__cycles_active.avg": sets and raw names, which have "__" in
  /// them). `compute_capability`: ten times it, 90 of 9.0; 0: not known, so that any row fits.
  MetricPlan Resolve(std::string_view asked, int compute_capability, const HasRawMetric& has) const;

 private:
  struct Row {
    std::vector<std::string> sets;
    std::string metric, unit;
    bool is_needed;
    int choice;
    int from, to;  ///< Ten times the compute capability; 0: any.
    std::string raw;
    double factor;
  };
  static bool Parse(const std::vector<std::string_view>& cells, Row& row);
  void AddMetric(const std::string& metric, int compute_capability, const HasRawMetric& has,
                 MetricPlan& plan) const;

  std::vector<Row> rows_;
  std::vector<std::string> sets_;
  std::size_t damaged_lines_ = 0;
};

/// The table in force: the file that XSP_RECORD_CUDA_METRICS_TABLE names, else the built-in one.
/// Empty: that file cannot be read.
std::string MetricTableInForce();

struct MetricValue {
  const DerivedMetric* metric;  ///< Of the plan.
  double value;
};

/// What raw values (by MetricPlan::raw) make of the plan's metrics. A metric that rests on a value
/// that is no number is left out. Of FLOPs those of 0 are left out where others are not, as most
/// kernels compute in one type: a kernel that computes nothing keeps one of 0.
std::vector<MetricValue> MakeValues(const MetricPlan& plan, const double* raw_values);

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_METRICS_METRIC_SETS_H_
