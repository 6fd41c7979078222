#ifndef XSP_MEASURE_REQUESTS_DATASET_REQUEST_H_
#define XSP_MEASURE_REQUESTS_DATASET_REQUEST_H_

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "core/result.h"
#include "pipeline/datasets/dataset.h"

namespace xsp::requests {

/// A data set in place of the rungs (docs/datasets.md).
struct DatasetRequest {
  std::string text;            ///< As the user named it; empty: none.
  nlohmann::json description;  ///< As pipeline::OpenDataset takes it.
  std::string folder;          ///< Absolute; paths in the description are relative to it.
  std::int64_t samples = 0;    ///< At most so many, spread evenly; 0: all.
};

/// What `--dataset` means: a folder of images in folders by class, a YAML file with a description,
/// a table of texts (.csv, .tsv, .jsonl, its column `text`), or KIND:NAME=VALUE,... as in
/// "synthetic:count=100" and "coco:annotations=instances.json,images=val2017". Errors: kUsage,
/// kBadInput (a YAML file that is wrong, by line and column); as os::ReadFile.
Result<DatasetRequest> ParseDataset(const std::string& text);

/// Errors: kBadInput, kEnvironment (docs/pipelines.md).
Result<std::unique_ptr<pipeline::Dataset>> Open(const DatasetRequest& request);

/// How many samples are evaluated.
std::size_t CountSamples(const DatasetRequest& request, const pipeline::Dataset& dataset);

}  // namespace xsp::requests

#endif  // XSP_MEASURE_REQUESTS_DATASET_REQUEST_H_
