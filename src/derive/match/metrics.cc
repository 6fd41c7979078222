#include "derive/match/metrics.h"

#include <algorithm>
#include <numeric>

#include "trace/vocabulary.h"

namespace xsp::match {
namespace {

using trace::SpanId;
using trace::StringId;

/// "flops.float32.vector" -> float32, vector.
void ParseFlopsName(std::string_view name, KernelWork& work) {
  name.remove_prefix(trace::metric::kFlopsPrefix.size());
  const std::size_t dot = name.rfind('.');
  work.dtype = name.substr(0, dot);
  work.unit = dot == std::string_view::npos ? "" : name.substr(dot + 1);
}

/// Read and write bytes of one provenance.
struct Traffic {
  std::optional<double> read, write;
  std::string_view provenance;
};

void Add(Traffic& best, bool read, double value, std::string_view provenance) {
  const int rank = ProvenanceRank(provenance);
  const bool first = !best.read && !best.write;
  if (!first && rank > ProvenanceRank(best.provenance)) return;
  if (first || rank < ProvenanceRank(best.provenance)) best = {{}, {}, provenance};
  (read ? best.read : best.write) = value;
}

}  // namespace

RowsBySpan::RowsBySpan(const trace::Column<SpanId>& spans, std::size_t span_count) : spans_(spans) {
  if (!std::is_sorted(spans.begin(), spans.end())) {
    order_.resize(spans.size());
    std::iota(order_.begin(), order_.end(), 0U);
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return spans[a] < spans[b]; });
  }
  const std::size_t blocks = span_count / kBlock + 1;
  first_.reserve(blocks + 1);
  std::size_t place = 0;
  for (std::size_t block = 0; block < blocks; ++block) {
    while (place < spans.size() && spans[RowAt(place)] < block * kBlock) ++place;
    first_.push_back(static_cast<std::uint32_t>(place));
  }
  first_.push_back(static_cast<std::uint32_t>(spans.size()));
}

RowsBySpan::Rows RowsBySpan::Of(SpanId span) const {
  std::size_t low = first_[span / kBlock], high = first_[span / kBlock + 1];
  const std::size_t end = high;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (spans_[RowAt(middle)] < span) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  std::size_t last = low;
  while (last < end && spans_[RowAt(last)] == span) ++last;
  return Rows(*this, low, last);
}

SpanValues::SpanValues(const trace::Trace& trace)
    : trace_(trace),
      metrics_(trace.metrics.span, trace.spans.size()),
      attributes_(trace.attributes.span, trace.spans.size()) {}

std::optional<double> SpanValues::Metric(SpanId span, StringId name) const {
  if (name == 0) return std::nullopt;
  for (const std::uint32_t row : MetricsOf(span)) {
    if (trace_.metrics.name[row] == name) return trace_.metrics.value[row];
  }
  return std::nullopt;
}

std::string_view SpanValues::Attribute(SpanId span, StringId key) const {
  if (key == 0) return {};
  for (const std::uint32_t row : attributes_.Of(span)) {
    if (trace_.attributes.key[row] == key) return trace_.Text(trace_.attributes.value[row]);
  }
  return {};
}

StringId SpanValues::Find(std::string_view text) const {
  for (StringId id = 1; id < trace_.strings.size(); ++id) {
    if (trace_.Text(id) == text) return id;
  }
  return 0;
}

int ProvenanceRank(std::string_view provenance) {
  if (provenance.starts_with(trace::provenance::kMeasuredPrefix)) return 0;
  if (provenance.starts_with(trace::provenance::kReportedPrefix)) return 1;
  return provenance == trace::provenance::kAnalytic ? 2 : 3;
}

KernelWork ReadKernelWork(const SpanValues& values, SpanId kernel) {
  namespace metric = trace::metric;
  const trace::Trace& trace = values.trace();
  KernelWork work;
  Traffic traffic;
  double most = -1;
  for (const std::uint32_t row : values.MetricsOf(kernel)) {
    const std::string_view name = trace.Text(trace.metrics.name[row]);
    const std::string_view provenance = trace.Text(trace.metrics.provenance[row]);
    const double value = trace.metrics.value[row];
    if (name.starts_with(metric::kFlopsPrefix)) {
      const bool better =
          !work.flops || ProvenanceRank(provenance) < ProvenanceRank(work.flops_provenance);
      const bool same =
          work.flops && ProvenanceRank(provenance) == ProvenanceRank(work.flops_provenance);
      if (!better && !same) continue;
      if (better) {
        work.flops = 0;
        most = -1;
        work.flops_provenance = provenance;
      }
      *work.flops += value;
      if (value > most) {
        most = value;
        ParseFlopsName(name, work);
      }
    } else if (name == metric::kAlgorithmicReadBytes || name == metric::kDramReadBytes) {
      Add(traffic, true, value, provenance);
    } else if (name == metric::kAlgorithmicWriteBytes || name == metric::kDramWriteBytes) {
      Add(traffic, false, value, provenance);
    } else if (name == metric::kOccupancy) {
      work.occupancy = value;
    }
  }
  work.read_bytes = traffic.read;
  work.write_bytes = traffic.write;
  work.traffic_provenance = traffic.provenance;
  return work;
}

void TakeBetter(KernelWork& work, const KernelWork& other) {
  if (other.flops && (!work.flops || ProvenanceRank(other.flops_provenance) <
                                         ProvenanceRank(work.flops_provenance))) {
    work.flops = other.flops;
    work.flops_provenance = other.flops_provenance;
    work.unit = other.unit;
    if (!other.dtype.empty()) work.dtype = other.dtype;
  }
  const bool has_traffic = work.read_bytes || work.write_bytes;
  if ((other.read_bytes || other.write_bytes) &&
      (!has_traffic ||
       ProvenanceRank(other.traffic_provenance) < ProvenanceRank(work.traffic_provenance))) {
    work.read_bytes = other.read_bytes;
    work.write_bytes = other.write_bytes;
    work.traffic_provenance = other.traffic_provenance;
  }
  if (!work.occupancy) work.occupancy = other.occupancy;
}

}  // namespace xsp::match
