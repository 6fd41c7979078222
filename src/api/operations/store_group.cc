#include "api/operation.h"

namespace xsp::api::store_group {

extern const GroupSpec kGroup;
constinit const GroupSpec kGroup = {
    .name = "store",
    .summary = "Answers questions about all experiments of the store at once",
    .example = "xsp store findings",
    .otherwise = nullptr,
};

}  // namespace xsp::api::store_group
