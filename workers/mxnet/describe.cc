#include "mxnet/describe.h"

#include <mxnet/c_api.h>

#include <cstring>

#include "capture/wire/xsp.h"

namespace xsp::worker_mxnet {
namespace {

/// The C API's declaration of LibFeature is opaque; this is mxnet/libinfo.h's.
struct Feature {
  const char* name;
  bool enabled;
};

std::string Version() {
  int version = 0;
  if (MXGetVersion(&version) != 0) return "unknown";
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

}  // namespace

std::string Describe() {
  return R"({"framework": {"name": "MXNet", "version": ")" + Version() + R"("},
 "models": [
  {"format": "mxnet", "extensions": [".json", ".params"], "levels": ["model", "layer", "kernel"],
   "note": "NAME-symbol.json with NAME-0000.params beside it, or a folder with both"}],
 "devices": ["cpu"],
 "graphs": ["optimised", "disabled"],
 "precisions": ["default"],
 "options": [
  {"name": "engine", "values": ["default", "threaded", "naive"], "default": "default",
   "meaning": "which engine runs the operators; default: threaded where nothing is profiled, else naive, which runs one operator after another on the calling thread"}],
 "rungs": ["model", "layer", "kernel", "details"],
 "switch": {"layer": "process", "kernel": "process"}})";
}

void RecordBuildFacts() {
  const LibFeature* features = nullptr;
  std::size_t count = 0;
  if (MXLibInfoFeatures(&features, &count) != 0) return;
  std::string enabled;
  const auto* list = reinterpret_cast<const Feature*>(features);
  for (std::size_t i = 0; i < count; ++i)
    if (list[i].enabled) enabled += (enabled.empty() ? "" : " ") + std::string(list[i].name);
  xsp_attribute(0, xsp_intern("mxnet.features", 14), enabled.data(), enabled.size());
}

}  // namespace xsp::worker_mxnet
