#ifndef XSP_WORKERS_HARNESS_FAILURE_H_
#define XSP_WORKERS_HARNESS_FAILURE_H_

#include <optional>
#include <string>

#include "harness/worker.h"

namespace xsp::worker {

/// Why a worker stops. The status is its exit status.
struct Failure {
  xsp_worker_status status = XSP_WORKER_INTERNAL;
  std::string what;
  std::string hint;
};

/// Nothing, or why it did not work.
using MaybeFailure = std::optional<Failure>;

/// The failure that a worker's function reported, or nothing for XSP_WORKER_OK. A status outside
/// the enumeration counts as internal.
MaybeFailure FromStatus(int status, const xsp_worker_error& error);

/// "bad_input", ... as in the protocol.
const char* KindName(xsp_worker_status status);

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_FAILURE_H_
