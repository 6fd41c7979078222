#include "match/metrics.h"

#include <numeric>

#include "trace/vocabulary.h"

namespace xsp::match {
namespace {

using trace::SpanId;
using trace::StringId;

/// Rows grouped by span (counting sort): first[s] ... first[s + 1] of `rows` are those of span s.
void Group(const std::vector<SpanId>& spans, std::size_t span_count,
           std::vector<std::uint32_t>& first, std::vector<std::uint32_t>& rows) {
  first.assign(span_count + 2, 0);
  rows.resize(spans.size());
  for (const SpanId span : spans) ++first[span];
  std::partial_sum(first.begin(), first.end(), first.begin());
  // Each span's end moves to its start while its rows are put down, the last one first.
  for (std::size_t row = spans.size(); row-- > 0;) {
    rows[--first[spans[row]]] = static_cast<std::uint32_t>(row);
  }
}

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

SpanValues::SpanValues(const trace::Trace& trace) : trace_(trace) {
  Group(trace.metrics.span, trace.spans.size(), metric_first_, metric_rows_);
  Group(trace.attributes.span, trace.spans.size(), attribute_first_, attribute_rows_);
}

std::optional<double> SpanValues::Metric(SpanId span, StringId name) const {
  if (name == 0) return std::nullopt;
  for (const std::uint32_t row : MetricsOf(span)) {
    if (trace_.metrics.name[row] == name) return trace_.metrics.value[row];
  }
  return std::nullopt;
}

std::string_view SpanValues::Attribute(SpanId span, StringId key) const {
  if (key == 0) return {};
  for (const std::uint32_t row : Slice(attribute_first_, attribute_rows_, span)) {
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
