#include "torch/errors.h"

#include <c10/util/Exception.h>

#include <new>

namespace xsp::worker_torch {
namespace {

int Report(xsp_worker_error* error, const std::string& context, const std::string& hint,
           const std::string& message) {
  if (IsOutOfMemory(message)) {
    return xsp_worker_fail(error, XSP_WORKER_ENVIRONMENT, "use a smaller batch or a smaller model",
                           "memory ran out: %s", Essence(message).c_str());
  }
  return xsp_worker_fail(error, XSP_WORKER_BAD_INPUT, hint.c_str(), "%s: %s", context.c_str(),
                         Essence(message).c_str());
}

}  // namespace

std::string Essence(const std::string& message) {
  std::size_t begin = 0;
  // A failure inside TorchScript ends in "RuntimeError: what happened", after a traceback.
  constexpr const char* kMarks[] = {"RuntimeError: ", "Error: "};
  for (const char* mark : kMarks) {
    const std::size_t at = message.rfind(mark);
    if (at != std::string::npos) {
      begin = at + std::string(mark).size();
      break;
    }
  }
  const std::string line = message.substr(begin, message.find('\n', begin) - begin);
  return line.empty() ? "no reason given" : line;
}

bool IsOutOfMemory(const std::string& message) {
  return message.find("can't allocate memory") != std::string::npos ||
         message.find("not enough memory") != std::string::npos ||
         message.find("out of memory") != std::string::npos;
}

int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action) {
  try {
    action();
    return XSP_WORKER_OK;
  } catch (const WorkerError& failed) {
    return xsp_worker_fail(error, failed.failure().status, failed.failure().hint.c_str(), "%s",
                           failed.failure().what.c_str());
  } catch (const std::bad_alloc&) {
    return Report(error, context, hint, "out of memory");
  } catch (const c10::Error& failed) {
    return Report(error, context, hint, failed.what_without_backtrace());
  } catch (const std::exception& failed) {
    return Report(error, context, hint, failed.what());
  } catch (...) {
    return xsp_worker_fail(error, XSP_WORKER_INTERNAL, "", "%s: unknown exception",
                           context.c_str());
  }
}

}  // namespace xsp::worker_torch
