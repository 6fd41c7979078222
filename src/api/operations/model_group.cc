#include "api/operation.h"

namespace xsp::api::model_group {

extern const GroupSpec kGroup;
constinit const GroupSpec kGroup = {
    .name = "model",
    .summary = "Checks and creates manifests of models",
    .example = "xsp model check zoo/resnet50/manifest.yaml",
    .otherwise = nullptr,
};

}  // namespace xsp::api::model_group
