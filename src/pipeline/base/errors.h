#ifndef XSP_PIPELINE_BASE_ERRORS_H_
#define XSP_PIPELINE_BASE_ERRORS_H_

#include <exception>
#include <new>
#include <string>
#include <utility>

#include "core/result.h"

namespace xsp::pipeline {

/// The manifest, the file or the sample is wrong. `field`: the step's parameter that is at fault.
inline Error BadInput(std::string what, std::string hint = "", std::string field = "") {
  return {ErrorKind::kBadInput, std::move(what), std::move(hint), -1, std::move(field)};
}

/// Memory, disk or permission.
inline Error Environment(std::string what, std::string hint = "") {
  return {ErrorKind::kEnvironment, std::move(what), std::move(hint)};
}

/// `status`; an error as one about the parameter `field`: a file that it names cannot be read.
inline Status About(const char* field, const Status& status) {
  if (status.ok()) return status;
  Error error = status.error();
  error.field = field;
  return error;
}

/// Calls `work`, which returns a Status; exhausted memory becomes an error, so that no exception
/// leaves this folder.
template <typename Work>
Status WithoutExceptions(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Environment("memory is exhausted", "use smaller images or a smaller batch");
  } catch (const std::exception& error) {
    return Error{ErrorKind::kInternal, std::string("unexpected exception: ") + error.what(), ""};
  }
}

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_BASE_ERRORS_H_
