#ifndef XSP_CORE_RESULT_H_
#define XSP_CORE_RESULT_H_

#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <variant>

namespace xsp::core {

/// Whose fault an error is. Decides the exit status of the command line (design, section 10).
enum class ErrorKind {
  kInternal = 1,      ///< A bug in XSP.
  kUsage = 2,         ///< The command line or a call's arguments are wrong.
  kBadInput = 3,      ///< The file, manifest or request is wrong. The user can fix it.
  kNotPossible = 4,   ///< Understood, but not here: a missing framework, device or level.
  kEnvironment = 5,   ///< The machine refused: disk, port, memory, permission, a dead worker.
  kGate = 6,          ///< A condition that the user set was not met.
  kInconclusive = 7,  ///< Whether such a condition is met cannot be known.
  kInterrupted = 130,
};

/// Why an operation did not happen, in words a user can act on.
struct [[nodiscard]] Error {
  ErrorKind kind;
  std::string what;  ///< Description first, values last: "trace is truncated: 17 bytes".
  std::string hint;  ///< What to do next; empty when there is nothing to suggest.
  int step = -1;     ///< Of a list of steps in the input: the one at fault, from 0; -1: none.
  /// The field of the input, or of that step, which is at fault; empty: none, or several.
  std::string field = {};
};

/// Ends the process with `message`. For our own bugs only.
[[noreturn]] inline void CheckFailed(const char* message, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: %s\n", file, line, message);
  std::abort();
}

#define XSP_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::xsp::core::CheckFailed(#condition, __FILE__, __LINE__))

/// A `T`, or the Error that explains its absence. There is no conversion to bool: write `ok()`.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  const T& value() const& {
    XSP_CHECK(ok());
    return std::get<0>(state_);
  }
  T& value() & {
    XSP_CHECK(ok());
    return std::get<0>(state_);
  }
  T&& value() && {
    XSP_CHECK(ok());
    return std::get<0>(std::move(state_));
  }
  const Error& error() const {
    XSP_CHECK(!ok());
    return std::get<1>(state_);
  }

 private:
  std::variant<T, Error> state_;
};

struct Ok {};
using Status = Result<Ok>;

#define XSP_CONCAT_INNER(a, b) a##b
#define XSP_CONCAT(a, b) XSP_CONCAT_INNER(a, b)

/// `XSP_TRY(auto text, ReadFile(path));` assigns the value, or returns the error to the caller.
#define XSP_TRY(declaration, expression) \
  XSP_TRY_INNER(XSP_CONCAT(xsp_result_, __LINE__), declaration, expression)
#define XSP_TRY_INNER(result, declaration, expression) \
  auto result = (expression);                          \
  if (!result.ok()) return result.error();             \
  declaration = std::move(result).value()

/// Returns the error of a Status to the caller, if it is one.
#define XSP_RETURN_IF_ERROR(expression)                                              \
  do {                                                                               \
    if (auto xsp_status = (expression); !xsp_status.ok()) return xsp_status.error(); \
  } while (false)

}  // namespace xsp::core

namespace xsp {
using core::Error;
using core::ErrorKind;
using core::Ok;
using core::Result;
using core::Status;
}  // namespace xsp

#endif  // XSP_CORE_RESULT_H_
