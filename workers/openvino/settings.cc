#include "openvino/settings.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string_view>

#include "openvino/errors.h"

namespace xsp::worker_openvino {
namespace {

struct NamedType {
  const char* name;
  ov::element::Type_t type;
};

constexpr NamedType kTypes[] = {{"float32", ov::element::f32}, {"bfloat16", ov::element::bf16},
                                {"float16", ov::element::f16}, {"float64", ov::element::f64},
                                {"int64", ov::element::i64},   {"int32", ov::element::i32},
                                {"int16", ov::element::i16},   {"int8", ov::element::i8},
                                {"uint8", ov::element::u8},    {"bool", ov::element::boolean}};

[[noreturn]] void RefuseValue(const char* option, const std::string& value, const char* values) {
  throw WorkerError(ErrorKind::kUsage,
                    std::string("the option ") + option + " does not take this value: " + value,
                    std::string("it takes: ") + values);
}

/// The element of `values` at the place that `names` has the option's value at.
template <typename T, std::size_t N>
T Chosen(const char* option, const std::string& value,
         const std::pair<const char*, T> (&known)[N]) {
  std::string names;
  for (const auto& [name, chosen] : known) {
    if (value == name) return chosen;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  RefuseValue(option, value, names.c_str());
}

void SetPrecision(const std::string& precision, ov::AnyMap& properties) {
  for (const NamedType& known : kTypes) {
    if (precision == known.name) {
      properties.emplace(ov::hint::inference_precision(ov::element::Type(known.type)));
    }
  }
}

void SetStreams(const std::string& value, ov::AnyMap& properties) {
  if (value == "default") return;
  if (value == "auto") {
    properties.emplace(ov::num_streams(ov::streams::AUTO));
    return;
  }
  int streams = 0;
  const auto end = value.data() + value.size();
  const auto parsed = std::from_chars(value.data(), end, streams);
  if (parsed.ec != std::errc() || parsed.ptr != end || streams < 1) {
    RefuseValue("streams", value, "default, auto, or a number from 1");
  }
  properties.emplace(ov::num_streams(ov::streams::Num(streams)));
}

}  // namespace

std::string DeviceName(const std::string& device) {
  std::string name = device;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

std::string TypeName(const ov::element::Type& type) {
  for (const NamedType& known : kTypes) {
    if (type == known.type) return known.name;
  }
  return type.get_type_name();
}

std::string OptionsOffered() {
  return R"json([
  {"name": "performance_mode", "values": ["latency", "throughput"], "default": "latency",
   "meaning": "ov::hint::performance_mode: one call as fast as it can be, or many at once"},
  {"name": "execution_mode", "values": ["performance", "accuracy"], "default": "performance",
   "meaning": "ov::hint::execution_mode: accuracy keeps the model's own precision"},
  {"name": "streams", "type": "default, auto or a number", "default": "default",
   "meaning": "ov::num_streams: how many calls may run at once; each has its share of the threads"},
  {"name": "cpu_pinning", "values": ["default", "on", "off"], "default": "default",
   "meaning": "ov::hint::enable_cpu_pinning: threads stay on their cores"},
  {"name": "layer_times", "values": ["default", "tasks", "counters"], "default": "default",
   "meaning": "layers from the tasks that the CPU plugin announces (default on the CPU), or from the plugin's counters (default elsewhere; on the CPU means since loading, in whole microseconds)"}])json";
}

Settings SettingsOf(const xsp_worker_job& job) {
  const auto option = [&](const char* name, const char* fallback) {
    return std::string(xsp_worker_option_value(&job, name, fallback));
  };
  Settings settings;
  settings.device = job.device;
  std::transform(settings.device.begin(), settings.device.end(), settings.device.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  settings.is_static = std::string_view(job.graph) != "dynamic";
  const bool is_cpu = settings.device == "CPU";
  settings.layers =
      Chosen<LayerSource>("layer_times", option("layer_times", "default"),
                          {{"default", is_cpu ? LayerSource::kTasks : LayerSource::kCounters},
                           {"tasks", LayerSource::kTasks},
                           {"counters", LayerSource::kCounters}});
  if (settings.layers == LayerSource::kTasks && !is_cpu) {
    throw WorkerError(
        ErrorKind::kNotPossible,
        std::string("only the CPU plugin announces tasks, not this device's: ") + job.device,
        "leave the option layer_times out");
  }
  ov::AnyMap& properties = settings.properties;
  properties.emplace(ov::hint::performance_mode(
      Chosen<ov::hint::PerformanceMode>("performance_mode", option("performance_mode", "latency"),
                                        {{"latency", ov::hint::PerformanceMode::LATENCY},
                                         {"throughput", ov::hint::PerformanceMode::THROUGHPUT}})));
  properties.emplace(ov::hint::execution_mode(
      Chosen<ov::hint::ExecutionMode>("execution_mode", option("execution_mode", "performance"),
                                      {{"performance", ov::hint::ExecutionMode::PERFORMANCE},
                                       {"accuracy", ov::hint::ExecutionMode::ACCURACY}})));
  SetPrecision(job.precision, properties);
  SetStreams(option("streams", "default"), properties);
  const std::string pinning = option("cpu_pinning", "default");
  if (pinning != "default") {
    properties.emplace(ov::hint::enable_cpu_pinning(
        Chosen<bool>("cpu_pinning", pinning, {{"on", true}, {"off", false}})));
  }
  if (job.threads > 0 && is_cpu) properties.emplace(ov::inference_num_threads(job.threads));
  return settings;
}

}  // namespace xsp::worker_openvino
