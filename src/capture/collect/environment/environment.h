#ifndef XSP_CAPTURE_COLLECT_ENVIRONMENT_ENVIRONMENT_H_
#define XSP_CAPTURE_COLLECT_ENVIRONMENT_ENVIRONMENT_H_

#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/collector.h"

namespace xsp::collect::environment {

/// The settings among `variables` ("NAME=VALUE") that change how fast a framework or a library
/// runs, by name. Others are passed by. A value that may be a secret, or may name a user or a host,
/// is hidden: of a path only the name of a library is kept, of a GPU's UUID only that it is one.
std::vector<Fact> Collect(const std::vector<std::string>& variables);

/// Whether the variable is one of those that change performance.
bool ChangesPerformance(std::string_view name);

extern const CollectorSpec kSpec;

}  // namespace xsp::collect::environment

#endif  // XSP_CAPTURE_COLLECT_ENVIRONMENT_ENVIRONMENT_H_
