#include "capture/monitor/row_store.h"

#include <algorithm>
#include <cmath>

namespace xsp::monitor {

namespace {

/// Two readings within one tick of the clock still weigh something.
double Length(std::int64_t begin_ns, std::int64_t end_ns) {
  return static_cast<double>(std::max<std::int64_t>(1, end_ns - begin_ns));
}

}  // namespace

RowStore::RowStore(Series& series, std::size_t most_values)
    : series_(series),
      // An even number, so that pairs leave none over.
      most_rows_(std::max<std::size_t>(
          2, most_values / std::max<std::size_t>(1, series.channels.size()) / 2 * 2)),
      sums_(series.channels.size()),
      weights_(series.channels.size()),
      last_ns_(series.start_ns) {}

void RowStore::Add(std::int64_t end_ns, std::span<const double> values) {
  const double elapsed_ns = Length(last_ns_, end_ns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isnan(values[i])) continue;
    sums_[i] += values[i] * elapsed_ns;
    weights_[i] += elapsed_ns;
  }
  last_ns_ = end_ns;
  ++series_.samples;
  if (++gathered_ == series_.samples_a_row) EndRow();
}

void RowStore::Finish() {
  if (gathered_ > 0) EndRow();
}

void RowStore::EndRow() {
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    series_.values.push_back(weights_[i] > 0 ? sums_[i] / weights_[i] : kUnknown);
    sums_[i] = weights_[i] = 0;
  }
  series_.end_ns.push_back(last_ns_);
  gathered_ = 0;
  if (series_.rows() == most_rows_) MergePairs();
}

void RowStore::MergePairs() {
  const std::size_t width = series_.channels.size();
  const std::size_t rows = series_.rows() / 2;
  std::int64_t begin_ns = series_.start_ns;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::int64_t middle_ns = series_.end_ns[2 * row], end_ns = series_.end_ns[2 * row + 1];
    const double first = Length(begin_ns, middle_ns), second = Length(middle_ns, end_ns);
    for (std::size_t i = 0; i < width; ++i) {
      const double a = series_.Value(2 * row, i), b = series_.Value(2 * row + 1, i);
      double& merged = series_.values[row * width + i];
      if (std::isnan(a) || std::isnan(b)) {
        merged = std::isnan(a) ? b : a;
      } else {
        merged = (a * first + b * second) / (first + second);
      }
    }
    series_.end_ns[row] = end_ns;
    begin_ns = end_ns;
  }
  series_.end_ns.resize(rows);
  series_.values.resize(rows * width);
  series_.samples_a_row *= 2;
}

}  // namespace xsp::monitor
