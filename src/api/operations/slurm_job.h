#ifndef XSP_API_OPERATIONS_SLURM_JOB_H_
#define XSP_API_OPERATIONS_SLURM_JOB_H_

#include "api/operation.h"

namespace xsp::api {

/// Gives `operation` the fields of slurm_fields.h: with `executor` slurm it is performed on a node
/// of a cluster, and answers what it answered there. Its field `answers_if` stays here.
void PerformOnNodesToo(Operation& operation);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_SLURM_JOB_H_
