#include "harness/worker_errors.h"

#include <cstdarg>
#include <cstdio>

#include "core/worker_error_kinds.h"

extern "C" int xsp_worker_fail(xsp_worker_error* error, xsp_worker_status status, const char* hint,
                               const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(error->what, sizeof error->what, format, arguments);
  va_end(arguments);
  std::snprintf(error->hint, sizeof error->hint, "%s", hint ? hint : "");
  return status;
}

namespace xsp::worker {

// C workers name the kinds by this enumeration, and the table has their values.
static_assert(XSP_WORKER_INTERNAL == static_cast<int>(ErrorKind::kInternal));
static_assert(XSP_WORKER_USAGE == static_cast<int>(ErrorKind::kUsage));
static_assert(XSP_WORKER_BAD_INPUT == static_cast<int>(ErrorKind::kBadInput));
static_assert(XSP_WORKER_NOT_POSSIBLE == static_cast<int>(ErrorKind::kNotPossible));
static_assert(XSP_WORKER_ENVIRONMENT == static_cast<int>(ErrorKind::kEnvironment));

Status FromStatus(int status, const xsp_worker_error& reported) {
  if (status == XSP_WORKER_OK) return Ok{};
  return Error{core::WorkerErrorOfStatus(status).value_or(ErrorKind::kInternal),
               reported.what[0] ? reported.what : "the worker failed without saying why",
               reported.hint};
}

int Report(const Error& error, xsp_worker_error* reported) {
  return xsp_worker_fail(reported, static_cast<xsp_worker_status>(error.kind), error.hint.c_str(),
                         "%s", error.what.c_str());
}

}  // namespace xsp::worker
