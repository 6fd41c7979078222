#include "openvino/errors.h"

#include <algorithm>
#include <cctype>
#include <new>
#include <sstream>

#include "harness/guarded.h"

namespace xsp::worker_openvino {
namespace {

/// Lines that name a place in OpenVINO's source.
bool IsPlace(const std::string& line) {
  return line.starts_with("Exception from ") || line.starts_with("While validating ") ||
         line.starts_with("FrontEnd API failed with ") ||
         line.find("Exception happened during") != std::string::npos;
}

/// "Check 'x' failed at a.cpp:12:" with what follows it on the same line, if anything.
std::string WithoutCheck(const std::string& line) {
  if (!line.starts_with("Check '")) return line;
  const std::size_t failed = line.find("' failed at ");
  const std::size_t end = line.find(": ", failed);
  return failed == std::string::npos || end == std::string::npos ? "" : line.substr(end + 2);
}

bool HasWord(const std::string& line) {
  return std::any_of(line.begin(), line.end(),
                     [](unsigned char c) { return std::isalpha(c) != 0; });
}

bool NamesUnknownOperator(const std::string& message) {
  constexpr const char* kMarks[] = {"does not support the following",
                                    "Unsupported operation of type", "No conversion rule found",
                                    "Cannot create ", "is not supported by OpenVINO"};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](const char* mark) { return message.find(mark) != std::string::npos; });
}

}  // namespace

std::string Essence(const std::string& message) {
  std::istringstream lines(message);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    line.erase(0, line.find_first_not_of(" \t"));
    if (IsPlace(line)) continue;
    line = WithoutCheck(line);
    if (!HasWord(line)) continue;
    text += (text.empty() ? "" : "; ") + line;
    // Lists of what is not supported go on for pages.
    constexpr std::size_t kEnough = 400;
    if (text.size() > kEnough) break;
  }
  return text.empty() ? "no reason given" : text;
}

int Guarded(xsp_worker_error* error, const std::string& context, const std::string& hint,
            const std::function<void()>& action) {
  return worker::Guarded(error, context, hint, [&] {
    try {
      action();
    } catch (const WorkerError&) {
      throw;
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& failed) {
      const std::string reason = Essence(failed.what());
      if (NamesUnknownOperator(failed.what())) {
        throw WorkerError(ErrorKind::kNotPossible, context + ": " + reason,
                          "this version of OpenVINO does not know the operator: use another "
                          "backend, or a model without it");
      }
      throw WorkerError(worker::ErrorOf(reason, context, hint));
    }
  });
}

}  // namespace xsp::worker_openvino
