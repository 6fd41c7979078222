#include "onnxruntime/describe.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "capture/wire/xsp.h"
#include "core/json_text.h"
#include "harness/fact.h"
#include "onnxruntime/runtime.h"
#include "onnxruntime/session_options.h"

namespace xsp::worker_onnxruntime {

using worker::RecordFact;

namespace {

using nlohmann::json;

}  // namespace

std::string Describe() {
  const Runtime& library = Library();
  json devices = {"cpu"};
  std::string note;
  if (!library.api) {
    note = library.problem;
  } else {
    for (const std::string& provider : AvailableProviders()) {
      const std::string device = DeviceOf(provider);
      if (!device.empty() && device != "cpu") devices.push_back(device);
    }
    if (!library.enable_run_profiling) note = "layers need ONNX Runtime 1.25 or newer";
  }
  json missing = json::array();
  if (library.api && std::find(devices.begin(), devices.end(), "cuda") == devices.end()) {
    missing.push_back({{"device", "cuda"},
                       {"why",
                        "this ONNX Runtime was built without the CUDA provider "
                        "(the Python package onnxruntime-gpu has it)"}});
  }
  json rungs = {"model"};
  json levels = {"model"};
  if (library.enable_run_profiling) {
    rungs = {"model", "layer", "kernel", "details"};
    levels = {"model", "layer", "kernel"};
  }
  const json options = {
      {{"name", "execution_mode"},
       {"values", {"sequential", "parallel"}},
       {"default", "sequential"},
       {"meaning", "whether independent nodes run at the same time"}},
      {{"name", "inter_op_threads"},
       {"type", "integer"},
       {"default", "0"},
       {"meaning",
        "threads that run independent nodes in mode parallel; 0: the library's default"}},
      {{"name", "session_config"},
       {"type", "string"},
       {"default", ""},
       {"meaning", "session configuration entries, key=value;key=value"}},
      {{"name", "provider_options"},
       {"type", "string"},
       {"default", ""},
       {"meaning", "options of the device's provider, key=value;key=value"}}};
  const json description = {
      {"framework", {{"name", "ONNX Runtime"}, {"version", library.version}}},
      {"models",
       {{{"format", "onnx"}, {"extensions", {".onnx"}}, {"levels", levels}, {"note", note}}}},
      {"devices", devices},
      {"missing_devices", missing},
      {"graphs", GraphLevels()},
      {"precisions", {"default"}},
      {"rungs", rungs},
      {"switch", {{"layer", "call"}, {"kernel", "call"}}},
      {"options", options}};
  return core::JsonText(description);
}

void RecordBuildFacts() {
  RecordFact("onnxruntime.library", Library().path);
  RecordFact("onnxruntime.build", Api().GetBuildInfoString());
  std::string providers;
  for (const std::string& provider : AvailableProviders()) {
    providers += (providers.empty() ? "" : ", ") + provider;
  }
  RecordFact("onnxruntime.providers", providers);
}

}  // namespace xsp::worker_onnxruntime
