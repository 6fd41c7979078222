#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "measure/manifest/document.h"
#include "measure/manifest/field_reader.h"
#include "measure/sweeps/sweep.h"
#include "os/files.h"

namespace xsp::sweeps {
namespace {

namespace fs = std::filesystem;
using manifest::FieldReader;
using manifest::Problem;
using manifest::Value;
using nlohmann::json;

constexpr std::uint64_t kSweepLimitBytes = 1 << 20;
constexpr std::array<std::string_view, 10> kKeys = {
    "name",     "models",   "backends", "batches", "precisions",
    "machines", "settings", "scenario", "dataset", "exclude"};
constexpr std::array<std::string_view, 6> kMachineKeys = {"name",      "architecture", "device",
                                                          "memory_gb", "features",     "slurm"};
constexpr std::array<std::string_view, 5> kScenarioKeys = {"kind", "latency_bound", "percentile",
                                                           "queries", "streams"};
constexpr std::array<std::string_view, 2> kDatasetKeys = {"name", "samples"};
constexpr std::array<std::string_view, 5> kAxes = {"model", "backend", "batch", "precision",
                                                   "machine"};
constexpr std::array<std::string_view, 3> kArchitectures = {"x86_64", "aarch64", "ppc64le"};
constexpr std::array<std::string_view, 4> kScenarios = {"single-stream", "offline", "server",
                                                        "multi-stream"};

bool IsTagKey(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '-';
  });
}

std::string DefaultName(const fs::path& file) {
  std::string name = file.stem().string();
  for (char& c : name)
    if (!IsTagKey(std::string_view(&c, 1))) c = '-';
  return name;
}

/// Reads one sweep.
class Reader {
 public:
  Reader(const Value& root, const fs::path& file, std::span<const std::string> settings,
         std::vector<Problem>& problems)
      : folder_(file.parent_path()),
        settings_(settings.begin(), settings.end()),
        problems_(problems),
        fields_(root, "", problems) {
    sweep_.name = DefaultName(file);
  }

  Sweep Read() {
    fields_.OnlyKeys(kKeys);
    ReadName();
    fields_.Require("models");
    ReadTexts("models", sweep_.models);
    for (std::string& model : sweep_.models) model = Placed(model);
    ReadTexts("backends", sweep_.backends);
    ReadBatches();
    ReadTexts("precisions", sweep_.precisions);
    ReadMachines();
    ReadSettings();
    ReadLoad();
    ReadExclusions();
    return std::move(sweep_);
  }

 private:
  void ReadName() {
    const Value* value = fields_.Text("name", sweep_.name, true);
    const bool is_name = IsTagKey(sweep_.name) && sweep_.name != "." && sweep_.name != "..";
    if (value != nullptr && !is_name)
      fields_.Wrong(value->at, "name is not one: " + sweep_.name,
                    "use letters, digits, \".\", \"_\" and \"-\"");
  }

  /// A file beside the sweep with its path; else, as a name of the zoo, as it is.
  std::string Placed(const std::string& text) const {
    std::error_code error;
    const fs::path beside = folder_ / text;
    const bool is_file = text.find('/') != std::string::npos || fs::exists(beside, error);
    if (!is_file || fs::path(text).is_absolute()) return text;
    return fs::absolute(beside, error).lexically_normal().string();
  }

  /// Of a data set that is described in place ("coco:images=a/b"), a slash makes no file.
  std::string PlacedDataset(const std::string& text) const {
    std::error_code error;
    return fs::exists(folder_ / text, error) ? Placed(text) : text;
  }

  /// Notes a list that is empty or has a value twice.
  void CheckList(std::string_view key, const Value& list) {
    if (list.items.empty())
      fields_.Wrong(list.at, fmt::format("{} is empty", fields_.Name(key)),
                    "leave the key out for the default");
    std::set<json> seen;
    for (const Value& item : list.items)
      if (!seen.insert(manifest::ToJson(item)).second)
        fields_.Wrong(item.at, fmt::format("{} has this value twice: {}", fields_.Name(key),
                                           item.text.empty() ? KindOf(item) : item.text));
  }

  void ReadTexts(std::string_view key, std::vector<std::string>& target) {
    const Value* value = fields_.Texts(key, target, true);
    if (value == nullptr || !value->is_list()) return;
    CheckList(key, *value);
  }

  void ReadBatches() {
    const Value* value = fields_.Find("batches");
    if (value == nullptr) return;
    Value list;
    if (!value->is_list()) {
      list.at = value->at;
      list.kind = Value::Kind::kList;
      list.items = {*value};
      value = &list;
    }
    CheckList("batches", *value);
    sweep_.batches.clear();
    for (const Value& item : value->items) {
      if (item.scalar.is_number_integer() && item.scalar.get<std::int64_t>() > 0) {
        sweep_.batches.push_back(item.scalar.get<std::int64_t>());
      } else {
        fields_.NotA("batches", item, "a whole number above 0");
      }
    }
  }

  void ReadMachines() {
    const Value* list = fields_.List("machines");
    if (list == nullptr) return;
    CheckList("machines", *list);
    for (std::size_t i = 0; i < list->items.size(); ++i) ReadMachine(list->items[i], i);
  }

  void ReadMachine(const Value& item, std::size_t index) {
    const std::string where = fmt::format("machines[{}]", index);
    if (!item.is_map()) {
      fields_.NotA(where, item, "a map");
      return;
    }
    MachineConstraint machine;
    FieldReader fields(item, where, problems_);
    fields.OnlyKeys(kMachineKeys);
    fields.Require("name");
    fields.Text("name", machine.name, true);
    fields.Choice("architecture", kArchitectures, machine.architecture);
    fields.Text("device", machine.device, true);
    fields.Texts("features", machine.features, true);
    if (const Value* memory = fields.Find("memory_gb"); memory != nullptr) {
      if (memory->scalar.is_number() && memory->scalar.get<double>() > 0) {
        machine.memory_gb = memory->scalar.get<double>();
      } else {
        fields.NotA("memory_gb", *memory, "a number above 0");
      }
    }
    if (const Value* slurm = fields.Find("slurm"); slurm != nullptr)
      ReadSlurm(*slurm, where + ".slurm", machine.slurm);
    const auto same = [&](const MachineConstraint& other) { return other.name == machine.name; };
    if (!machine.name.empty() && std::ranges::any_of(sweep_.machines, same))
      fields.Wrong(item.at, "two machines have one name: " + machine.name);
    sweep_.machines.push_back(std::move(machine));
  }

  void ReadSlurm(const Value& value, const std::string& where, std::vector<std::string>& options) {
    if (!value.is_map()) {
      fields_.NotA(where, value, "a map of options of sbatch");
      return;
    }
    for (const manifest::Member& member : value.members) {
      if ((!member.value.is_text() && !member.value.scalar.is_number()) ||
          member.value.text.empty()) {
        fields_.Wrong(
            member.at,
            fmt::format("{}.{} is {}, not a value", where, member.key, KindOf(member.value)),
            "write it as after sbatch --" + member.key + "=");
        continue;
      }
      options.push_back(member.key + "=" + member.value.text);
    }
  }

  void ReadSettings() {
    const Value* map = fields_.Find("settings");
    if (map == nullptr) return;
    if (!map->is_map()) {
      fields_.NotA("settings", *map, "a map");
      return;
    }
    FieldReader fields(*map, "settings", problems_);
    std::vector<std::string_view> known(settings_.begin(), settings_.end());
    for (const manifest::Member& member : map->members)
      if (std::ranges::find(kAxes, member.key) != kAxes.end()) {
        fields.Wrong(member.at, "not a setting: " + member.key,
                     fmt::format("it is the key {} of the sweep",
                                 member.key == "batch" ? "batches" : member.key + "s"));
        known.push_back(member.key);  // It is noted once.
      }
    fields.OnlyKeys(known);
    for (const manifest::Member& member : map->members) ReadSetting(member);
  }

  void ReadSetting(const manifest::Member& member) {
    Setting setting{member.key, {}};
    if (member.value.is_list()) {
      CheckList("settings." + member.key, member.value);
      for (const Value& item : member.value.items) setting.values.push_back(ToJson(item));
    } else {
      setting.values = {ToJson(member.value)};
    }
    for (const json& value : setting.values)
      if (value.is_null() || value.is_object())
        fields_.Wrong(member.at, fmt::format("settings.{} is {}, not a value or a list of them",
                                             member.key, value.is_null() ? "nothing" : "a map"));
    sweep_.settings.push_back(std::move(setting));
  }

  void ReadLoad() {
    const Value* scenario = fields_.Find("scenario");
    const Value* dataset = fields_.Find("dataset");
    if (scenario != nullptr) ReadScenario(*scenario);
    if (dataset != nullptr) ReadDataset(*dataset);
    if (scenario != nullptr && dataset != nullptr)
      fields_.Wrong(dataset->at, "a sweep has a scenario or a data set, not both",
                    "write two sweeps");
  }

  void ReadScenario(const Value& value) {
    std::string kind;
    if (!value.is_map()) {
      if (fields_.Choice("scenario", kScenarios, kind) != nullptr) sweep_.load["scenario"] = kind;
      return;
    }
    FieldReader fields(value, "scenario", problems_);
    fields.OnlyKeys(kScenarioKeys);
    fields.Require("kind");
    if (fields.Choice("kind", kScenarios, kind) != nullptr) sweep_.load["scenario"] = kind;
    for (const manifest::Member& member : value.members)
      if (member.key != "kind") sweep_.load[member.key] = ToJson(member.value);
  }

  void ReadDataset(const Value& value) {
    std::string name;
    if (!value.is_map()) {
      if (fields_.Text("dataset", name) != nullptr) sweep_.load["dataset"] = PlacedDataset(name);
      return;
    }
    FieldReader fields(value, "dataset", problems_);
    fields.OnlyKeys(kDatasetKeys);
    fields.Require("name");
    if (fields.Text("name", name) != nullptr) sweep_.load["dataset"] = PlacedDataset(name);
    if (const Value* samples = fields.Find("samples"); samples != nullptr)
      sweep_.load["samples"] = ToJson(*samples);
  }

  void ReadExclusions() {
    const Value* list = fields_.List("exclude");
    if (list == nullptr) return;
    CheckList("exclude", *list);
    std::vector<std::string_view> known(kAxes.begin(), kAxes.end());
    for (const Setting& setting : sweep_.settings) known.push_back(setting.name);
    for (std::size_t i = 0; i < list->items.size(); ++i) {
      const Value& item = list->items[i];
      const std::string where = fmt::format("exclude[{}]", i);
      if (!item.is_map() || item.members.empty()) {
        fields_.NotA(where, item, "a map of axes and settings");
        continue;
      }
      FieldReader fields(item, where, problems_);
      fields.OnlyKeys(known);
      Exclusion exclusion;
      for (const manifest::Member& member : item.members)
        exclusion[member.key] = member.key == "model" && member.value.is_text()
                                    ? json(Placed(member.value.text))
                                    : ToJson(member.value);
      sweep_.exclude.push_back(std::move(exclusion));
    }
  }

  fs::path folder_;
  std::vector<std::string> settings_;
  std::vector<Problem>& problems_;
  FieldReader fields_;
  Sweep sweep_;
};

}  // namespace

Result<Sweep> ParseSweep(std::string_view text, const fs::path& file,
                         std::span<const std::string> settings) {
  std::vector<Problem> problems;
  const Value root = manifest::ParseDocument(text, problems);
  Sweep sweep;
  if (problems.empty()) {
    if (root.is_map()) {
      sweep = Reader(root, file, settings, problems).Read();
    } else {
      problems.push_back({root.at, fmt::format("not a map of keys: {}", KindOf(root)), ""});
    }
  }
  if (problems.empty()) return sweep;
  manifest::SortByPosition(problems);
  std::vector<std::string> lines;
  for (const Problem& problem : problems) lines.push_back(ToString(problem, file.string()));
  return Error{ErrorKind::kBadInput, fmt::format("sweep is wrong: {}", fmt::join(lines, "; ")),
               "docs/sweeps.md describes the file."};
}

Result<Sweep> ReadSweep(const fs::path& file, std::span<const std::string> settings) {
  XSP_TRY(const std::string text, os::ReadFile(file, kSweepLimitBytes));
  return ParseSweep(text, file, settings);
}

}  // namespace xsp::sweeps
