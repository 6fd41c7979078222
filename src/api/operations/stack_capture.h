#ifndef XSP_API_OPERATIONS_STACK_CAPTURE_H_
#define XSP_API_OPERATIONS_STACK_CAPTURE_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/collector.h"
#include "core/result.h"

namespace xsp::api {

/// A stack that was captured, now or before.
struct StackCapture {
  std::string name;  ///< For people: the experiment's, "EXPERIMENT/RUN", the file, or "now".
  std::string kind;  ///< "experiment", "run", "file" or "machine".
  std::vector<collect::Fact> facts;
};

/// The stack that `argument` names: a file that `xsp system --format json` wrote (a run.json does
/// as well), or an experiment or a run as store::Resolve() finds it. Measured runs add what their
/// worker said of its framework and libraries, as facts "backend.WORKER.*". Errors: kBadInput: no
/// such file or run, no JSON, or no stack in it.
Result<StackCapture> ReadStackCapture(const std::filesystem::path& store,
                                      std::string_view argument);

/// The stack of this machine. Takes about 0.1 s.
StackCapture CaptureThisMachine();

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_STACK_CAPTURE_H_
