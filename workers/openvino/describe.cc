#include "openvino/describe.h"

#include <algorithm>
#include <cctype>
#include <openvino/core/version.hpp>
#include <string_view>

#include "capture/wire/xsp.h"
#include "harness/fact.h"
#include "openvino/model_file.h"

namespace xsp::worker_openvino {

using worker::RecordFact;

namespace {

/// "2026.4.0" of "2026.4.0-22959-...".
std::string Version() {
  const std::string build = ov::get_openvino_version().buildNumber;
  return build.substr(0, build.find('-'));
}

std::string Devices() {
  std::string list;
  for (const std::string& device : TheCore().get_available_devices()) {
    list += (list.empty() ? "\"" : ", \"") + DeviceName(device) + "\"";
  }
  return "[" + list + "]";
}

std::string FactName(std::string property) {
  std::transform(property.begin(), property.end(), property.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return "openvino." + property;
}

}  // namespace

std::string Describe() {
  return R"({"framework": {"name": "OpenVINO", "version": ")" + Version() + R"("},
 "models": )" +
         ModelFormats() + R"(,
 "devices": )" +
         Devices() + R"(,
 "graphs": ["static", "dynamic"],
 "precisions": ["default", "float32", "bfloat16", "float16"],
 "options": )" +
         OptionsOffered() + R"(,
 "rungs": ["model", "layer", "kernel", "details"],
 "switch": {"layer": "call", "kernel": "process"}})";
}

void RecordBuildFacts(const std::string& device) {
  RecordFact("openvino.build", ov::get_openvino_version().buildNumber);
  RecordFact("openvino.device_name", TheCore().get_property(device, ov::device::full_name));
}

void RecordModelFacts(const ov::CompiledModel& compiled) {
  constexpr const char* kProperties[] = {"NUM_STREAMS",
                                         "INFERENCE_NUM_THREADS",
                                         "INFERENCE_PRECISION_HINT",
                                         "PERFORMANCE_HINT",
                                         "EXECUTION_MODE_HINT",
                                         "ENABLE_CPU_PINNING",
                                         "ENABLE_HYPER_THREADING",
                                         "SCHEDULING_CORE_TYPE",
                                         "DYNAMIC_QUANTIZATION_GROUP_SIZE",
                                         "KV_CACHE_PRECISION",
                                         "RUNTIME_REQUIREMENTS"};
  const auto supported = compiled.get_property(ov::supported_properties);
  for (const char* property : kProperties) {
    if (std::find(supported.begin(), supported.end(), property) == supported.end()) continue;
    RecordFact(FactName(property), compiled.get_property(property).as<std::string>());
  }
}

}  // namespace xsp::worker_openvino
