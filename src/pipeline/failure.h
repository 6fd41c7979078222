#ifndef XSP_PIPELINE_FAILURE_H_
#define XSP_PIPELINE_FAILURE_H_

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace xsp::pipeline {

/// Whose fault a failure is. The values are the exit statuses of a worker and of `xsp`.
enum class FailureKind {
  kInternal = 1,
  kBadInput = 3,
  kNotPossible = 4,
  kEnvironment = 5,
};

/// Why something did not work: what is wrong first, values last; the hint says what to do and may
/// be empty. A type of its own because this folder is compiled into workers, which have neither
/// base/Result nor fmt.
struct Failure {
  FailureKind kind = FailureKind::kInternal;
  std::string what;
  std::string hint;
  int step = -1;  ///< Of a list of steps that cannot be built: which one, from 0; -1: none.
  std::string parameter = {};  ///< Which parameter it is about; empty: none, or several.
};

/// Nothing, or why it did not work.
using MaybeFailure = std::optional<Failure>;

/// The manifest, the file or the sample is wrong.
inline Failure BadInput(std::string what, std::string hint = "", std::string parameter = "") {
  return {FailureKind::kBadInput, std::move(what), std::move(hint), -1, std::move(parameter)};
}

/// Memory, disk or permission.
inline Failure Environment(std::string what, std::string hint = "") {
  return {FailureKind::kEnvironment, std::move(what), std::move(hint)};
}

/// `failure`, if it is one, as one about a parameter: a file that it names cannot be read.
inline MaybeFailure About(const char* parameter, MaybeFailure failure) {
  if (failure) failure->parameter = parameter;
  return failure;
}

/// Calls `work`, which returns MaybeFailure; exhausted memory becomes a failure, so that no
/// exception leaves this folder.
template <typename Work>
MaybeFailure WithoutExceptions(Work work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Environment("memory is exhausted", "use smaller images or a smaller batch");
  } catch (const std::exception& error) {
    return Failure{FailureKind::kInternal, std::string("unexpected exception: ") + error.what(),
                   ""};
  }
}

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_FAILURE_H_
