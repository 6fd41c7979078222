#include "api/operation.h"

namespace xsp::api::store_group {

extern const GroupSpec kGroup;
constinit const GroupSpec kGroup = {
    .name = "store",
    .summary = "Works on the whole store: findings, copies and archives, retention, object storage",
    .example = "xsp store findings",
    .otherwise = nullptr,
};

}  // namespace xsp::api::store_group
