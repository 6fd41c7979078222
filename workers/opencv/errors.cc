#include "opencv/errors.h"

#include <algorithm>
#include <new>
#include <opencv2/core.hpp>
#include <string_view>

#include "harness/guarded.h"

namespace xsp::worker_opencv {
namespace {

bool SaysNotImplemented(const std::string& message) {
  // A damaged file counts as a format that is not supported, to OpenCV.
  if (message.find("Failed to parse") != std::string::npos) return false;
  constexpr const char* kMarks[] = {"not implemented", "Can't create layer", "Unsupported",
                                    "unsupported", "not supported"};
  return std::any_of(std::begin(kMarks), std::end(kMarks),
                     [&](const char* mark) { return message.find(mark) != std::string::npos; });
}

}  // namespace

std::string Essence(const std::string& message) {
  // One importer reports what another threw: the last "error: " is where it began.
  constexpr const char* kMark = "error: (";
  const std::size_t at = message.rfind(kMark);
  std::string text = at == std::string::npos ? message : message.substr(at + 7);
  // "(-215:Assertion failed) condition in function 'x'".
  const std::size_t colon = text.find(':');
  if (text.starts_with("(-") && colon != std::string::npos) text = text.substr(colon + 1);
  if (const std::size_t paren = text.find(')'); paren != std::string::npos) text.erase(paren, 1);
  std::replace(text.begin(), text.end(), '\n', ' ');
  text.erase(std::min(text.rfind(" in function '"), text.size()));
  constexpr std::string_view kUnspecified = "Unspecified error ";
  if (text.starts_with(kUnspecified)) text.erase(0, kUnspecified.size());
  text.erase(text.find_last_not_of(" >") + 1);
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
    } catch (const cv::Exception& failed) {
      const std::string message = failed.what();
      const std::string reason = Essence(message);
      if (failed.code == cv::Error::StsNotImplemented || SaysNotImplemented(message)) {
        throw WorkerError(
            ErrorKind::kNotPossible, context + ": " + reason,
            "this version of OpenCV does not know an operator of the model, or a form "
            "of it: use another backend, or a later OpenCV");
      }
      throw WorkerError(worker::ErrorOf(reason, context, hint));
    }
  });
}

}  // namespace xsp::worker_opencv
