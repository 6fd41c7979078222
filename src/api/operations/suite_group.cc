#include "api/operation.h"

namespace xsp::api::suite_group {

extern const GroupSpec kGroup;
constinit const GroupSpec kGroup = {
    .name = "suite",
    .summary = "Compares, classifies and schedules many workloads at once",
    .example = "xsp suite similarity mlperf-v0.5 --representatives 4",
    .otherwise = nullptr,
    .if_empty = "this build has no suite commands (XSP_WITHOUT=suite)",
};

}  // namespace xsp::api::suite_group
