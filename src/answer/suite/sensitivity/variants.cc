#include "answer/suite/sensitivity/variants.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

namespace xsp::suite::sensitivity {
namespace {

using nlohmann::json;

using Strings = std::vector<std::string>;

bool Has(const Strings& list, const std::string& item) {
  return std::ranges::find(list, item) != list.end();
}

Strings StringsOf(const json& object, const char* key) {
  Strings list;
  const json empty = json::array();
  for (const json& item : object.contains(key) ? object[key] : empty)
    if (item.is_string()) list.push_back(item.get<std::string>());
  return list;
}

class Planner {
 public:
  explicit Planner(const PlanOptions& plan_options) : options_(plan_options) {}

  void AddBackend(const std::string& backend, const json& describe) {
    Add(backend, "default", "", json::object());
    if (Wanted("graph"))
      for (const std::string& graph : StringsOf(describe, "graphs"))
        Add(backend, "graph", graph, {{"graph", graph}});
    if (Wanted("precision")) AddPrecisions(backend, StringsOf(describe, "precisions"));
    if (Wanted("option")) AddOptions(backend, describe);
    if (Wanted("threads"))
      for (const int threads : options_.threads)
        Add(backend, "threads", std::to_string(threads), {{"threads", threads}});
    if (Wanted("model"))
      for (const std::string& model : options_.also)
        plan_.variants.push_back({backend, "model", model, model, json::object()});
    AddCompilers(backend, describe);
  }

  void AddMissing(const std::string& backend, const std::string& why) {
    plan_.impossible.push_back({backend, why});
  }

  Plan Take() { return std::move(plan_); }

 private:
  bool Wanted(const std::string& axis) const {
    return options_.axes.empty() || Has(options_.axes, axis);
  }

  void Add(const std::string& backend, const char* axis, const std::string& value, json settings) {
    plan_.variants.push_back({backend, axis, value, options_.model, std::move(settings)});
  }

  void AddPrecisions(const std::string& backend, const Strings& offered) {
    for (const std::string& precision : offered)
      if (precision != "default") Add(backend, "precision", precision, {{"precision", precision}});
    for (const char* precision : {"float32", "bfloat16", "float16", "int8"}) {
      if (Has(offered, precision)) continue;
      const bool quantised = std::string_view(precision) == "int8";
      if (quantised && !options_.also.empty()) continue;
      plan_.impossible.push_back(
          {fmt::format("{} precision={}", backend, precision),
           quantised ? "no worker quantises a model: name a quantised one by --also"
                     : fmt::format("the worker offers: {}", fmt::join(offered, ", "))});
    }
  }

  void AddOptions(const std::string& backend, const json& describe) {
    if (!describe.contains("options")) return;
    for (const json& option : describe["options"]) {
      const std::string name = option.value("name", "");
      const std::string usual = option.value("default", "");
      for (const std::string& value : StringsOf(option, "values"))
        // What changes only how it is measured is no way to run a model.
        if (value != usual && value != "default" && name != "layer_times" && name != "all_nodes")
          Add(backend, "option", fmt::format("{}={}", name, value),
              {{"option", Strings{fmt::format("{}={}", name, value)}}});
    }
  }

  /// torch.compile runs in Python, which no worker has; what it makes can be run.
  void AddCompilers(const std::string& backend, const json& describe) {
    if (!Wanted("graph") || !describe.contains("models")) return;
    for (const json& format : describe["models"]) {
      const bool packaged = format.value("format", "") == "aotinductor";
      const bool given = std::ranges::any_of(
          options_.also, [](const std::string& file) { return file.ends_with(".pt2"); });
      if (packaged && !given && !options_.model.ends_with(".pt2"))
        plan_.impossible.push_back(
            {fmt::format("{} torch.compile", backend),
             "TorchInductor compiles ahead of time into a file of its own "
             "(torch._inductor.aoti_compile_and_package): name that FILE.pt2 by --also"});
    }
  }

  const PlanOptions& options_;
  Plan plan_;
};

}  // namespace

std::string Variant::Label() const {
  return axis == "default" ? backend : fmt::format("{} {}={}", backend, axis, value);
}

const std::vector<std::string>& Axes() {
  static const std::vector<std::string> axes = {"graph", "precision", "option", "threads", "model"};
  return axes;
}

Plan MakePlan(const PlanOptions& plan_options, const json& doctor) {
  Planner planner(plan_options);
  std::vector<std::pair<std::string, const json*>> parts;
  if (!doctor.is_array()) return planner.Take();
  for (const json& part : doctor) {
    const std::string name = part.value("part", "");
    constexpr std::string_view kWorker = "worker ";
    if (name.starts_with(kWorker)) parts.emplace_back(name.substr(kWorker.size()), &part);
  }
  Strings backends = plan_options.backends;
  if (backends.empty())
    for (const auto& [name, part] : parts)
      // The example is a lesson for those who write workers.
      if (name != "example") backends.push_back(name);
  for (const std::string& backend : backends) {
    const auto it = std::ranges::find(parts, backend, [](const auto& one) { return one.first; });
    if (it == parts.end()) {
      planner.AddMissing(backend, "there is no worker of this name: xsp doctor lists them");
    } else if (!it->second->contains("describe") || !(*it->second)["describe"].is_object()) {
      planner.AddMissing(backend, "missing here; " + it->second->value("where_or_how", ""));
    } else {
      planner.AddBackend(backend, (*it->second)["describe"]);
    }
  }
  return planner.Take();
}

}  // namespace xsp::suite::sensitivity
