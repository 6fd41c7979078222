#include "harness/guarded.h"

#include <algorithm>
#include <cctype>
#include <new>

namespace xsp::worker {

bool IsOutOfMemory(const std::string& message) {
  std::string text = message;
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr const char* kMarks[] = {"allocate memory",    "not enough memory", "out of memory",
                                    "failed to allocate", "bad_alloc",         "bad allocation",
                                    "insufficient memory"};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](const char* mark) { return text.find(mark) != std::string::npos; });
}

Failure FailureOf(const std::string& message, const std::string& context, const std::string& hint) {
  const std::string line = message.substr(0, message.find('\n'));
  const std::string reason = line.empty() ? "no reason given" : line;
  if (IsOutOfMemory(message)) {
    return {XSP_WORKER_ENVIRONMENT, "memory ran out: " + reason,
            "use a smaller batch or a smaller model"};
  }
  return {XSP_WORKER_BAD_INPUT, context + ": " + reason, hint};
}

int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action) {
  const auto report = [&](const Failure& failure) {
    return xsp_worker_fail(error, failure.status, failure.hint.c_str(), "%s", failure.what.c_str());
  };
  try {
    action();
    return XSP_WORKER_OK;
  } catch (const WorkerError& failed) {
    return report(failed.failure());
  } catch (const std::bad_alloc&) {
    return report(FailureOf("out of memory", context, hint));
  } catch (const std::exception& failed) {
    return report(FailureOf(failed.what(), context, hint));
  } catch (...) {
    return report({XSP_WORKER_INTERNAL, context + ": unknown exception", ""});
  }
}

}  // namespace xsp::worker
