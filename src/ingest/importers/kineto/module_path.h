#ifndef XSP_INGEST_IMPORTERS_KINETO_MODULE_PATH_H_
#define XSP_INGEST_IMPORTERS_KINETO_MODULE_PATH_H_

#include <string>
#include <string_view>

namespace xsp::importers::kineto {

/// "Module Hierarchy" of a TorchScript operator as attribute path:
/// "TOP(Net)::forward.layer1(Sequential)::forward.0(Block)::forward." -> "layer1.0". Empty: the
/// operator is of the model itself.
std::string PathOfHierarchy(std::string_view hierarchy);

}  // namespace xsp::importers::kineto

#endif  // XSP_INGEST_IMPORTERS_KINETO_MODULE_PATH_H_
