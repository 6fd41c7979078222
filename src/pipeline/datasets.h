#ifndef XSP_PIPELINE_DATASETS_H_
#define XSP_PIPELINE_DATASETS_H_

#include <memory>
#include <string>

#include "pipeline/dataset.h"
#include "pipeline/fields.h"

namespace xsp::pipeline {

/// What OpenDataset opens, by kind; each reads its parameters from `fields`. Errors: as
/// OpenDataset.
Status OpenImageFolder(Fields& fields, const std::string& folder,
                       std::unique_ptr<Dataset>& dataset);
Status OpenCoco(Fields& fields, const std::string& folder, std::unique_ptr<Dataset>& dataset);
Status OpenTexts(Fields& fields, const std::string& folder, std::unique_ptr<Dataset>& dataset);
Status OpenSynthetic(Fields& fields, const std::string& folder, std::unique_ptr<Dataset>& dataset);

/// Reads the file of an image sample. Errors: bad_input when it is gone, empty or too large.
Status ReadImageFile(const std::string& path, std::string& bytes);

/// Whether a path that a list names stays below the data set's folder.
bool StaysBelow(const std::string& path);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_DATASETS_H_
