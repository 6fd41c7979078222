#ifndef XSP_MEASURE_MANIFEST_MLMODELSCOPE_H_
#define XSP_MEASURE_MANIFEST_MLMODELSCOPE_H_

#include "measure/manifest/document.h"
#include "measure/manifest/manifest.h"

namespace xsp::manifest {

/// Whether a manifest is written as MLModelScope (2018-2021) had them: it has `model` with paths,
/// `container`, or inputs or an output with a `type`.
bool IsMlModelScope(const Value& root);

/// Takes such a manifest over as far as it maps: name, version, framework and its version, image
/// inputs with their pre-processing, what outputs are called and mean, the model's file. Everything
/// else becomes a problem that is no error, with its position and what to do about it.
void ReadMlModelScope(const Value& root, Reading& reading);

}  // namespace xsp::manifest

#endif  // XSP_MEASURE_MANIFEST_MLMODELSCOPE_H_
