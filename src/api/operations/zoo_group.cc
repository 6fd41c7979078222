#include "api/operation.h"

namespace xsp::api::zoo_group {

extern const GroupSpec kGroup;
constinit const GroupSpec kGroup = {
    .name = "zoo",
    .summary = "Lists and builds the models of the zoo",
    .example = "xsp zoo list",
    .otherwise = "zoo/list",
};

}  // namespace xsp::api::zoo_group
