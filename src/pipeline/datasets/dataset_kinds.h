#ifndef XSP_PIPELINE_DATASETS_DATASET_KINDS_H_
#define XSP_PIPELINE_DATASETS_DATASET_KINDS_H_

#include <memory>
#include <string>

#include "pipeline/base/parameters.h"
#include "pipeline/datasets/dataset.h"

namespace xsp::pipeline {

/// What OpenDataset opens, by kind; each reads its parameters from `parameters`. Errors: as
/// OpenDataset.
Status OpenImageFolder(Parameters& parameters, const std::string& folder,
                       std::unique_ptr<Dataset>& dataset);
Status OpenCoco(Parameters& parameters, const std::string& folder,
                std::unique_ptr<Dataset>& dataset);
Status OpenTexts(Parameters& parameters, const std::string& folder,
                 std::unique_ptr<Dataset>& dataset);
Status OpenSynthetic(Parameters& parameters, const std::string& folder,
                     std::unique_ptr<Dataset>& dataset);

/// Reads the file of an image sample. Errors: bad_input when it is gone, empty or too large.
Status ReadImageFile(const std::string& path, std::string& bytes);

/// Whether a path that a list names stays below the data set's folder.
bool StaysBelow(const std::string& path);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_DATASETS_DATASET_KINDS_H_
