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

Error ErrorOf(const std::string& message, const std::string& context, const std::string& hint) {
  const std::string line = message.substr(0, message.find('\n'));
  const std::string reason = line.empty() ? "no reason given" : line;
  if (IsOutOfMemory(message)) {
    return {ErrorKind::kEnvironment, "memory ran out: " + reason,
            "use a smaller batch or a smaller model"};
  }
  return {ErrorKind::kBadInput, context + ": " + reason, hint};
}

int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action) {
  try {
    action();
    return XSP_WORKER_OK;
  } catch (const WorkerError& failed) {
    return Report(failed.error(), error);
  } catch (const std::bad_alloc&) {
    return Report(ErrorOf("out of memory", context, hint), error);
  } catch (const std::exception& failed) {
    return Report(ErrorOf(failed.what(), context, hint), error);
  } catch (...) {
    return Report({ErrorKind::kInternal, context + ": unknown exception", ""}, error);
  }
}

}  // namespace xsp::worker
