#ifndef XSP_PIPELINE_DATASETS_H_
#define XSP_PIPELINE_DATASETS_H_

#include <memory>
#include <string>

#include "pipeline/dataset.h"
#include "pipeline/fields.h"

namespace xsp::pipeline {

/// What OpenDataset opens, by kind; each reads its parameters from `fields`. Failures: as
/// OpenDataset.
MaybeFailure OpenImageFolder(Fields& fields, const std::string& folder,
                             std::unique_ptr<Dataset>& dataset);
MaybeFailure OpenCoco(Fields& fields, const std::string& folder, std::unique_ptr<Dataset>& dataset);
MaybeFailure OpenTexts(Fields& fields, const std::string& folder,
                       std::unique_ptr<Dataset>& dataset);
MaybeFailure OpenSynthetic(Fields& fields, const std::string& folder,
                           std::unique_ptr<Dataset>& dataset);

/// Reads the file of an image sample. Failures: bad_input when it is gone, empty or too large.
MaybeFailure ReadImageFile(const std::string& path, std::string& bytes);

/// Whether a path that a list names stays below the data set's folder.
bool StaysBelow(const std::string& path);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_DATASETS_H_
