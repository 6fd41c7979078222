#include "torch/errors.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <new>

namespace xsp::worker_torch {

std::string Essence(const std::string& message) {
  // What the TorchScript compiler says begins with an empty line.
  std::size_t begin = std::min(message.find_first_not_of('\n'), message.size());
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

int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action) {
  const auto failed_with = [&](const std::string& message) {
    return WorkerError(worker::ErrorOf(Essence(message), context, hint));
  };
  return worker::Guarded(error, context, hint, [&] {
    try {
      action();
    } catch (const WorkerError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const c10::Error& failed) {
      throw failed_with(failed.what_without_backtrace());
    } catch (const std::exception& failed) {
      throw failed_with(failed.what());
    }
  });
}

}  // namespace xsp::worker_torch
