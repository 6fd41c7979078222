#include "ingest/primitives/primitive_attributes.h"

#include <string>

namespace xsp::primitives {

Cost DescribePrimitive(trace::TraceWriter& writer, trace::SpanId span,
                       const Announcement& announcement) {
  namespace attribute = trace::attribute;
  namespace metric = trace::metric;
  const Cost cost = Estimate(announcement);
  writer.AddAttribute(span, attribute::kPrimitiveKind, announcement.kind);
  writer.AddAttribute(span, attribute::kImplementation, announcement.implementation);
  writer.AddAttribute(span, attribute::kProblem, announcement.problem);
  if (!cost.dtype.empty()) writer.AddAttribute(span, attribute::kDtype, cost.dtype);
  if (cost.status != CostStatus::kKnown) return cost;
  std::string flops(metric::kFlopsPrefix);
  flops.append(cost.dtype).append(".").append(cost.unit);
  writer.AddMetric(span, flops, cost.flops, "flop", trace::provenance::kAnalytic);
  writer.AddMetric(span, metric::kAlgorithmicReadBytes, cost.read_bytes, "byte",
                   trace::provenance::kAnalytic);
  writer.AddMetric(span, metric::kAlgorithmicWriteBytes, cost.write_bytes, "byte",
                   trace::provenance::kAnalytic);
  return cost;
}

bool DescribePrimitive(trace::TraceWriter& writer, trace::SpanId span, std::string_view raw) {
  const auto announcement = ParseAnnouncement(raw);
  if (!announcement.has_value()) return false;
  return DescribePrimitive(writer, span, *announcement).status == CostStatus::kKnown;
}

}  // namespace xsp::primitives
