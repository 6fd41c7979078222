#ifndef XSP_CAPTURE_MONITOR_ROW_STORE_H_
#define XSP_CAPTURE_MONITOR_ROW_STORE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "capture/monitor/monitor.h"

namespace xsp::monitor {

/// Appends samples to the rows of a Series within a bound of memory. Borrows the series.
/// Threading: none.
class RowStore {
 public:
  /// `most_values`: of all rows together; at least two rows are kept.
  RowStore(Series& series, std::size_t most_values);

  /// Adds one reading, of the time up to `end_ns`.
  void Add(std::int64_t end_ns, std::span<const double> values);

  /// Ends a row that is still waiting for more samples.
  void Finish();

 private:
  void EndRow();
  void MergePairs();

  Series& series_;
  std::size_t most_rows_;
  // The row that is being gathered: sums of value times ns, and of ns, of each channel.
  std::vector<double> sums_, weights_;
  std::int64_t last_ns_ = 0;
  int gathered_ = 0;
};

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_ROW_STORE_H_
