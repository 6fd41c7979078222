#include "derive/experiments/trace_point.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "core/json_text.h"

namespace xsp::experiments {

using nlohmann::json;

namespace {

std::int64_t NumberFact(const trace::Trace& trace, std::string_view key) {
  const std::string text = Fact(trace, key);
  std::int64_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::string DeviceOf(const trace::Trace& trace) {
  if (const std::string device = Fact(trace, "job.device"); !device.empty()) return device;
  // Series of a GPU may stand beside a program that left it idle.
  if (const std::string ran_on = Fact(trace, trace::fact::kOperatorsRanOn); !ran_on.empty())
    return ran_on;
  const bool has_stream =
      std::any_of(trace.tracks.begin(), trace.tracks.end(), [](const trace::Track& track) {
        return track.kind == trace::TrackKind::kStream || track.kind == trace::TrackKind::kDevice;
      });
  return has_stream ? "gpu" : "cpu";
}

}  // namespace

std::string Fact(const trace::Trace& trace, std::string_view key) {
  const auto it = trace.facts.find(key);
  return it == trace.facts.end() ? "" : it->second;
}

std::string StatedModel(const trace::Trace& trace, const std::string& asked) {
  if (!asked.empty()) return asked;
  for (std::size_t i = 0; i < trace.spans.size(); ++i) {
    if (trace.spans.level[i] == trace::Level::kModel &&
        trace.Text(trace.spans.type[i]) == trace::type::kPredict && trace.spans.name[i] != 0)
      return std::string(trace.Text(trace.spans.name[i]));
  }
  return "";
}

match::PointInput PointOf(const trace::Trace& trace, const std::string& model,
                          const std::string& backend) {
  match::PointInput point;
  point.point_id = 1;
  point.model = model;
  const std::string version = Fact(trace, "framework.version");
  point.backend = Fact(trace, "framework.name");
  if (point.backend.empty()) point.backend = backend;
  if (!version.empty()) point.backend += " " + version;
  point.device = DeviceOf(trace);
  point.precision = Fact(trace, "job.precision");
  if (point.precision.empty()) point.precision = "unknown";
  point.batch = NumberFact(trace, "job.batch");
  json settings = json::object();
  for (const char* key : {"threads", "graph", "seed", "rung"})
    if (const std::string value = Fact(trace, fmt::format("job.{}", key)); !value.empty())
      settings[key] = value;
  point.settings = core::JsonText(settings);
  point.model_bytes = 0;
  point.cores = NumberFact(trace, "job.threads");
  return point;
}

}  // namespace xsp::experiments
