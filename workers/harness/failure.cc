#include "harness/failure.h"

#include <cstdarg>
#include <cstdio>

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

MaybeFailure FromStatus(int status, const xsp_worker_error& error) {
  if (status == XSP_WORKER_OK) return std::nullopt;
  const bool known = status >= XSP_WORKER_INTERNAL && status <= XSP_WORKER_ENVIRONMENT;
  return Failure{known ? static_cast<xsp_worker_status>(status) : XSP_WORKER_INTERNAL,
                 error.what[0] ? error.what : "the worker failed without saying why", error.hint};
}

const char* KindName(xsp_worker_status status) {
  switch (status) {
    case XSP_WORKER_USAGE:
      return "usage";
    case XSP_WORKER_BAD_INPUT:
      return "bad_input";
    case XSP_WORKER_NOT_POSSIBLE:
      return "not_possible";
    case XSP_WORKER_ENVIRONMENT:
      return "environment";
    default:
      return "internal";
  }
}

}  // namespace xsp::worker
