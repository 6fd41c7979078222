#ifndef XSP_API_OPERATIONS_SLURM_FIELDS_H_
#define XSP_API_OPERATIONS_SLURM_FIELDS_H_

#include <filesystem>
#include <set>
#include <string>

#include "core/request_fields.h"
#include "core/result.h"
#include "measure/slurm/batch_job.h"

namespace xsp::api {

/// Where a request is carried out, and what it asks Slurm for.
struct SlurmFields {
  std::string executor = "local";
  slurm::SlurmOptions options;

  bool is_slurm() const { return executor == "slurm"; }
};

/// Declares the fields that every operation on a cluster has. `what`: who is measured, for the
/// help: "points".
void DeclareSlurmFields(core::RequestFields& fields, SlurmFields& request, const std::string& what);

/// Their names.
const std::set<std::string>& SlurmFieldNames();

/// Errors: kUsage: an option of Slurm without Slurm, or one that sbatch has in another form.
Status CheckSlurmFields(const SlurmFields& request);

/// Absolute, as nodes have it under the same path. Errors: kUsage: sbatch cannot write there;
/// kNotPossible: it is in object storage.
Result<std::filesystem::path> StoreForNodes(const std::filesystem::path& store);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_SLURM_FIELDS_H_
