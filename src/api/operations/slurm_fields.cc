#include "api/operations/slurm_fields.h"

#include <fmt/format.h>

#include <system_error>

#include "store/mirror.h"

namespace xsp::api {

void DeclareSlurmFields(core::RequestFields& fields, SlurmFields& request,
                        const std::string& what) {
  slurm::SlurmOptions& options = request.options;
  fields.Add("executor", &request.executor,
             {.help = fmt::format("Where {} measured: on this machine, or on nodes that Slurm "
                                  "chooses (docs/sweeps.md)",
                                  what),
              .allowed = {"local", "slurm"}});
  fields.Add("partition", &options.partition,
             {.help = "Of Slurm: partition of the jobs", .value_name = "NAME"});
  fields.Add("account", &options.account,
             {.help = "Of Slurm: account that is charged", .value_name = "NAME"});
  fields.Add("slurm_option", &options.options,
             {.help = "Another option of sbatch, which wins over those that XSP sets: time=60",
              .value_name = "KEY=VALUE",
              .refers = core::Refers::kProgram,
              .list = core::ListStyle::kRepeated});
  fields.Add("share_nodes", &options.share_nodes,
             {.help = "Of Slurm: other jobs may use a node meanwhile (no --exclusive), which "
                      "disturbs timings"});
}

const std::set<std::string>& SlurmFieldNames() {
  static const std::set<std::string> names = {"executor", "partition", "account", "slurm_option",
                                              "share_nodes"};
  return names;
}

Status CheckSlurmFields(const SlurmFields& request) {
  const slurm::SlurmOptions& options = request.options;
  if (request.is_slurm()) {
    for (const std::string& option : options.options)
      XSP_RETURN_IF_ERROR(slurm::CheckOption(option));
    return Ok{};
  }
  if (options.share_nodes || options.limit > 0 || !options.options.empty() ||
      !options.partition.empty() || !options.account.empty())
    return Error{ErrorKind::kUsage, "these options are only for jobs of Slurm",
                 "Add --executor slurm."};
  return Ok{};
}

Result<std::filesystem::path> StoreForNodes(const std::filesystem::path& store) {
  if (const auto url = store::MirroredUrl(store))
    return Error{ErrorKind::kNotPossible, "nodes of Slurm cannot share a store in " + *url,
                 "Name a folder that all nodes have with --store."};
  std::error_code error;
  std::filesystem::path absolute = std::filesystem::absolute(store, error).lexically_normal();
  const std::string text = absolute.string();
  if (text.find_first_of("\\\n") == std::string::npos) return absolute;
  return Error{ErrorKind::kUsage,
               "sbatch cannot write below a path with a backslash or a line break: " + text,
               "Choose another store with --store."};
}

}  // namespace xsp::api
