#include "measure/slurm/batch_job.h"

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
constexpr std::array<std::string_view, 14> kReserved = {
    "array", "output",    "error", "input",       "wrap",       "parsable", "job-name",
    "wait",  "test-only", "help",  "export-file", "dependency", "clusters", "open-mode"};
constexpr std::size_t kShortestKey = 3;  // sbatch takes the beginning of a key for the key.

std::string Lower(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  return lower;
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

/// Whether `text` has `word`, and no letter or digit beside it: an A100 is no A10.
bool HasWord(std::string_view text, std::string_view word) {
  const auto is_end = [&](std::size_t at) {
    return at >= text.size() || std::isalnum(static_cast<unsigned char>(text[at])) == 0;
  };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || is_end(at - 1)) && is_end(at + word.size())) return true;
  return false;
}

/// The longest type that names the device, or that the device names; empty: none.
std::string GpuTypeOf(const std::string& device, const ClusterNodes& nodes) {
  const std::string wanted = Lower(device);
  std::string best;
  for (const std::string& type : nodes.gpu_types)
    if (HasWord(wanted, Lower(type)) || HasWord(Lower(type), wanted))
      if (type.size() > best.size()) best = type;
  return best;
}

void Replace(std::vector<std::string>& options, const std::string& option) {
  std::erase_if(options, [&](const std::string& one) { return KeyOf(one) == KeyOf(option); });
  options.push_back(option);
}

}  // namespace

std::string Quoted(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

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
  const bool is_reserved = std::ranges::any_of(kReserved, [&](std::string_view own) {
    const bool is_beginning = key.size() >= kShortestKey && own.starts_with(key);
    return key == own || (is_beginning && key != "export");
  });
  if (is_reserved)
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
    // 0 is all of a node's memory.
    result.options.push_back(fmt::format(
        "mem={:.0f}M", std::clamp(std::floor(machine.memory_gb * 1e9 / (1 << 20)), 1.0, 1e12)));
  if (!features.empty())
    result.options.push_back(fmt::format("constraint={}", fmt::join(features, "&")));
  for (const std::string& option : machine.slurm) Replace(result.options, option);
  return result;
}

int TimeLimitMinutes(double seconds) {
  constexpr double kYear = 366 * 24 * 60;
  const double minutes = kOverheadMinutes + kSafetyFactor * std::max(seconds, 0.0) / 60;
  return static_cast<int>(std::ceil(std::min(minutes, kYear)));
}

std::string ShownName(std::string_view name) {
  std::string shown(name);
  std::ranges::replace_if(
      shown, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return shown;
}

std::vector<std::string> SbatchArguments(const BatchJob& job, const SlurmOptions& options) {
  const std::string log = job.tasks > 0 ? "%a.log" : kLogFile;
  std::vector<std::string> arguments = {
      "sbatch", "--parsable", "--job-name=" + ShownName(job.name),
      fmt::format("--output={}/{}", PatternOf(job.folder.string()), log), "--open-mode=truncate",
      "--export=ALL", "--requeue",
      // To xsp itself: its worker ends by what xsp tells it.
      fmt::format("--signal=B:TERM@{}", kSecondsToStore)};
  if (job.tasks > 0) {
    const std::string limit = options.limit > 0 ? fmt::format("%{}", options.limit) : "";
    arguments.push_back(fmt::format("--array=0-{}{}", job.tasks - 1, limit));
  }
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
