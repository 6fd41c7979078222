#ifndef XSP_CORE_WORKER_ERROR_KINDS_H_
#define XSP_CORE_WORKER_ERROR_KINDS_H_

#include <array>
#include <optional>
#include <string_view>

#include "core/result.h"

namespace xsp::core {

/// An error kind as the worker protocol (docs/worker-protocol.md) writes it.
struct WorkerErrorKind {
  ErrorKind kind;
  std::string_view name;
};

/// The kinds with which a worker may end. A worker's exit status is the value of the kind. Both
/// ends of the protocol read this table.
inline constexpr std::array<WorkerErrorKind, 5> kWorkerErrorKinds = {
    {{ErrorKind::kInternal, "internal"},
     {ErrorKind::kUsage, "usage"},
     {ErrorKind::kBadInput, "bad_input"},
     {ErrorKind::kNotPossible, "not_possible"},
     {ErrorKind::kEnvironment, "environment"}}};

/// "bad_input", ...; "internal" for a kind with which no worker ends.
constexpr std::string_view WorkerErrorName(ErrorKind kind) {
  for (const WorkerErrorKind& known : kWorkerErrorKinds)
    if (known.kind == kind) return known.name;
  return kWorkerErrorKinds.front().name;
}

/// The kind of that name, or nothing.
constexpr std::optional<ErrorKind> WorkerErrorNamed(std::string_view name) {
  for (const WorkerErrorKind& known : kWorkerErrorKinds)
    if (known.name == name) return known.kind;
  return std::nullopt;
}

/// The kind of a worker that exits with `status`, or nothing: 0, or a status that is not in the
/// table.
constexpr std::optional<ErrorKind> WorkerErrorOfStatus(int status) {
  for (const WorkerErrorKind& known : kWorkerErrorKinds)
    if (static_cast<int>(known.kind) == status) return known.kind;
  return std::nullopt;
}

}  // namespace xsp::core

#endif  // XSP_CORE_WORKER_ERROR_KINDS_H_
