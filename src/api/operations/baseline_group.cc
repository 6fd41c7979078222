#include "api/operation.h"

namespace xsp::api::baseline_group {

extern const GroupSpec kGroup;
constinit const GroupSpec kGroup = {
    .name = "baseline",
    .summary = "Sets, lists and removes baselines: experiments that others are compared with",
    .example = "xsp baseline set main resnet50-20260101-120000",
    .otherwise = "baseline/list",
};

}  // namespace xsp::api::baseline_group
