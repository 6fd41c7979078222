#include "derive/history/series.h"

#include <fmt/format.h>

namespace xsp::history {
namespace {

constexpr std::string_view kLayerPrefix = "layer:";

}  // namespace

std::string Metric::Name() const {
  switch (kind) {
    case Kind::kLatency:
      return "latency";
    case Kind::kThroughput:
      return "throughput";
    case Kind::kMemory:
      return "memory";
    case Kind::kDevice:
      return "device";
    case Kind::kLayer:
      return std::string(kLayerPrefix) + layer;
  }
  return "";
}

std::string_view Metric::Unit() const {
  if (kind == Kind::kThroughput) return "items/s";
  return kind == Kind::kMemory ? "byte" : "ns";
}

Result<Metric> ParseMetric(std::string_view text) {
  using Kind = Metric::Kind;
  for (const Kind kind : {Kind::kLatency, Kind::kThroughput, Kind::kMemory, Kind::kDevice})
    if (Metric{kind}.Name() == text) return Metric{kind};
  if (text.starts_with(kLayerPrefix) && text.size() > kLayerPrefix.size())
    return Metric{Kind::kLayer, std::string(text.substr(kLayerPrefix.size()))};
  return Error{ErrorKind::kUsage, fmt::format("no such metric: {}", text),
               "There are latency, throughput, memory, device and layer:NAME."};
}

}  // namespace xsp::history
