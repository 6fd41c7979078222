#include "measure/alternatives/alternatives_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "core/json_text.h"
#include "measure/roof_loops/roof_cache.h"
#include "os/files.h"
#include "os/paths.h"

namespace xsp::alternatives {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Raise it when what is measured changes: entries are then measured again.
constexpr int kMeasuringVersion = 1;
constexpr std::uint64_t kLargestFile = 256 << 20;

bool Take(const json& object, const char* name, std::string& value) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_string()) return false;
  value = member->get<std::string>();
  return true;
}

bool TakeTime(const json& object, const char* name, double& value) {
  const auto member = object.find(name);
  if (member == object.end() || !member->is_number()) return false;
  value = member->get<double>();
  return std::isfinite(value) && value > 0;
}

std::optional<Alternative> AlternativeFromJson(const json& object) {
  Alternative one;
  if (!object.is_object() || !Take(object, "dtype", one.dtype) ||
      !Take(object, "format", one.format) || !Take(object, "algorithm", one.algorithm) ||
      !Take(object, "implementation", one.implementation) ||
      !Take(object, "source_layout", one.source_layout) ||
      !Take(object, "weights_layout", one.weights_layout) ||
      !Take(object, "result_layout", one.result_layout) ||
      !TakeTime(object, "best_ns", one.best_ns) || !TakeTime(object, "median_ns", one.median_ns) ||
      !object.contains("repeats") || !object["repeats"].is_number_integer())
    return std::nullopt;
  one.repeats = object["repeats"].get<std::int64_t>();
  return one;
}

}  // namespace

json ToJson(const Measured& measured) {
  json all = json::array();
  for (const Alternative& one : measured.alternatives)
    all.push_back({{"dtype", one.dtype},
                   {"format", one.format},
                   {"algorithm", one.algorithm},
                   {"implementation", one.implementation},
                   {"source_layout", one.source_layout},
                   {"weights_layout", one.weights_layout},
                   {"result_layout", one.result_layout},
                   {"best_ns", one.best_ns},
                   {"median_ns", one.median_ns},
                   {"repeats", one.repeats}});
  return {{"library", measured.library},
          {"measured_at", measured.measured_at},
          {"complete", measured.complete},
          {"alternatives", std::move(all)}};
}

std::optional<Measured> MeasuredFromJson(const json& object) {
  Measured measured;
  if (!object.is_object() || !Take(object, "library", measured.library) ||
      !object.contains("complete") || !object["complete"].is_boolean() ||
      !object.contains("alternatives") || !object["alternatives"].is_array())
    return std::nullopt;
  // What the program prints has no time yet.
  if (object.contains("measured_at") && !Take(object, "measured_at", measured.measured_at))
    return std::nullopt;
  measured.complete = object["complete"].get<bool>();
  for (const json& row : object["alternatives"]) {
    auto one = AlternativeFromJson(row);
    if (!one) return std::nullopt;
    measured.alternatives.push_back(*std::move(one));
  }
  return measured;
}

const Alternative* FastestOf(const Measured& measured, const std::string& dtype) {
  const Alternative* fastest = nullptr;
  for (const Alternative& one : measured.alternatives)
    if (one.dtype == dtype && (fastest == nullptr || one.median_ns < fastest->median_ns))
      fastest = &one;
  return fastest;
}

AlternativesCache AlternativesCache::Read(const Processor& processor) {
  AlternativesCache cache;
  const std::string& name = processor.name;
  cache.head_ = {{"version", kMeasuringVersion}};
  std::string label = name, machine = name + ", GPU";
  if (processor.is_gpu) {
    cache.head_["gpu"] = name;
  } else {
    cache.head_["cpu"] = name;
    cache.head_["cores"] = processor.cores;
    label = fmt::format("{}-{}c", name, processor.cores);
    machine = fmt::format("{}, {} cores", name, processor.cores);
  }
  cache.file_ = os::CacheFolder() / "alternatives" / roof_loops::CacheFileName(label, machine);
  cache.Load();
  return cache;
}

void AlternativesCache::Load() {
  const auto text = os::ReadFile(file_, kLargestFile);
  if (!text.ok()) return;
  const json object = core::ParseJson(text.value());
  if (!object.is_object() || !object.contains("primitives") || !object["primitives"].is_object())
    return;
  for (const auto& [key, value] : head_.items())
    if (object.value(key, json()) != value) return;
  for (const auto& [key, value] : object["primitives"].items())
    if (auto measured = MeasuredFromJson(value))
      entries_.insert_or_assign(key, *std::move(measured));
}

const Measured* AlternativesCache::Find(const std::string& key) const {
  const auto found = entries_.find(key);
  return found == entries_.end() ? nullptr : &found->second;
}

Status AlternativesCache::Add(const std::string& key, Measured measured) {
  std::error_code ignored;
  fs::create_directories(file_.parent_path(), ignored);
  const roof_loops::CacheLock lock(file_.parent_path());
  Load();
  entries_.insert_or_assign(key, std::move(measured));
  json all = json::object();
  for (const auto& [name, entry] : entries_) all[name] = ToJson(entry);
  json object = head_;
  object["primitives"] = std::move(all);
  return os::WriteFileAtomically(file_, core::JsonText(object, 1) + "\n");
}

}  // namespace xsp::alternatives
