#include "measure/slurm/array_job.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <utility>

namespace xsp::slurm {
namespace {

/// Seconds before the time limit at which a task is asked to store what it has.
constexpr int kSecondsToStore = 60;
constexpr double kSafetyFactor = 3;
constexpr double kOverheadMinutes = 10;

/// XSP sets them itself, or could not follow the jobs with them.
constexpr std::array<std::string_view, 13> kReserved = {
    "array",     "output", "error",     "input", "wrap",        "parsable",  "job-name",
    "open-mode", "wait",   "test-only", "help",  "export-file", "dependency"};

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
}

/// One word of a shell.
std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// A file name in a pattern of sbatch, which replaces `%a`.
std::string PatternOf(const std::string& path) {
  std::string pattern;
  for (const char c : path) pattern += c == '%' ? std::string("%%") : std::string(1, c);
  return pattern;
}

std::string KeyOf(const std::string& option) { return option.substr(0, option.find('=')); }

std::vector<std::string> WithDashes(const std::vector<std::string>& options) {
  std::vector<std::string> arguments;
  for (const std::string& option : options) arguments.push_back("--" + option);
  return arguments;
}

/// The feature of the nodes that is called so, whatever the case of its letters; empty: none.
std::string FeatureCalled(const std::string& name, const ClusterNodes& nodes) {
  for (const std::string& feature : nodes.features)
    if (Lower(feature) == Lower(name)) return feature;
  return {};
}

std::string GpuTypeOf(const std::string& device, const ClusterNodes& nodes) {
  const std::string wanted = Lower(device);
  for (const std::string& type : nodes.gpu_types)
    if (wanted.find(Lower(type)) != std::string::npos ||
        Lower(type).find(wanted) != std::string::npos)
      return type;
  return {};
}

void Replace(std::vector<std::string>& options, const std::string& option) {
  std::erase_if(options, [&](const std::string& one) { return KeyOf(one) == KeyOf(option); });
  options.push_back(option);
}

}  // namespace

Status CheckOption(const std::string& option) {
  const std::string key = KeyOf(option);
  const bool is_key = !key.empty() && std::islower(static_cast<unsigned char>(key.front())) != 0 &&
                      std::ranges::all_of(key, [](unsigned char c) {
                        return std::islower(c) != 0 || std::isdigit(c) != 0 || c == '-';
                      });
  if (!is_key)
    return Error{
        ErrorKind::kUsage, "not an option of sbatch: " + option,
        "Write KEY=VALUE without dashes, such as qos=low; `sbatch --help` lists the keys."};
  if (std::ranges::find(kReserved, key) != kReserved.end())
    return Error{ErrorKind::kUsage, "xsp sets this option of sbatch itself: " + key,
                 "Leave it out."};
  return Ok{};
}

MachineOptions OptionsOf(const sweeps::MachineConstraint& machine, const ClusterNodes& nodes) {
  MachineOptions result;
  std::vector<std::string> features;
  const bool own_constraint = std::ranges::any_of(
      machine.slurm, [](const std::string& option) { return KeyOf(option) == "constraint"; });
  const auto need = [&](const std::string& name, const std::string& what) {
    const std::string feature = FeatureCalled(name, nodes);
    if (!feature.empty()) {
      features.push_back(feature);
    } else if (!own_constraint) {
      result.unknown.push_back(fmt::format("{} {}", what, name));
    }
  };
  for (const std::string& feature : machine.features) need(feature, "feature");
  if (!machine.architecture.empty()) need(machine.architecture, "architecture");
  if (!machine.device.empty()) {
    const std::string type = GpuTypeOf(machine.device, nodes);
    if (type.empty()) {
      need(machine.device, "device");
    } else {
      result.options.push_back(fmt::format("gres=gpu:{}:1", type));
    }
  }
  if (machine.memory_gb > 0)
    result.options.push_back(
        fmt::format("mem={}M", static_cast<std::int64_t>(machine.memory_gb * 1e9 / (1 << 20))));
  if (!features.empty())
    result.options.push_back(fmt::format("constraint={}", fmt::join(features, "&")));
  for (const std::string& option : machine.slurm) Replace(result.options, option);
  return result;
}

int TimeLimitMinutes(double seconds) {
  return static_cast<int>(
      std::ceil(kOverheadMinutes + kSafetyFactor * std::max(seconds, 0.0) / 60));
}

std::string ShownName(std::string_view name) {
  std::string shown(name);
  std::ranges::replace_if(
      shown, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return shown;
}

std::vector<std::string> SbatchArguments(const ArrayJob& job, const SlurmOptions& options) {
  const std::string limit = options.limit > 0 ? fmt::format("%{}", options.limit) : "";
  std::vector<std::string> arguments = {"sbatch", "--parsable", "--job-name=" + ShownName(job.name),
                                        fmt::format("--array=0-{}{}", job.tasks - 1, limit),
                                        "--output=" + PatternOf(job.folder.string()) + "/%a.log",
                                        "--open-mode=truncate", "--export=ALL", "--requeue",
                                        // To xsp itself: its worker ends by what xsp tells it.
                                        fmt::format("--signal=B:TERM@{}", kSecondsToStore)};
  if (!options.share_nodes) arguments.emplace_back("--exclusive");
  if (!options.partition.empty()) arguments.push_back("--partition=" + options.partition);
  if (!options.account.empty()) arguments.push_back("--account=" + options.account);
  if (job.longest_s)
    arguments.push_back(fmt::format("--time={}", TimeLimitMinutes(*job.longest_s)));
  for (const std::string& option : WithDashes(job.machine_options)) arguments.push_back(option);
  for (const std::string& option : WithDashes(options.options)) arguments.push_back(option);
  return arguments;
}

std::string JobScript(const std::filesystem::path& folder, const std::string& program,
                      const std::filesystem::path& store, bool again) {
  return fmt::format(
      "#!/bin/sh\n"
      "# A job array of `xsp sweep`: each task measures one point of the sweep, on the node that\n"
      "# Slurm chose, and writes its result beside this file.\n"
      "folder={}\n"
      "exec {} --store {} sweep \"$folder/{}\" --task \"$folder/{}\"{} --format json \\\n"
      "  > \"$folder/$SLURM_ARRAY_TASK_ID.json\"\n",
      Quoted(folder.string()), Quoted(program), Quoted(store.string()), kSweepFile,
      kDescriptionFile, again ? " --again" : "");
}

}  // namespace xsp::slurm
