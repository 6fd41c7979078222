#ifndef XSP_PIPELINE_DATASETS_DATASET_H_
#define XSP_PIPELINE_DATASETS_DATASET_H_

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/box.h"
#include "pipeline/base/errors.h"
#include "pipeline/steps/preprocessing.h"

namespace xsp::pipeline {

/// One object of an image, as COCO annotates it.
struct TruthObject {
  std::int64_t category = 0;  ///< As in the annotations (not renumbered).
  core::CocoBox box;          ///< Of the original image.
  double area = 0;            ///< Pixels, of the object (not of the box).
  bool crowd = false;
  std::string segmentation;  ///< JSON text: polygons or run lengths; empty when there is none.
};

/// What is right for one sample, as far as the data set says.
struct GroundTruth {
  std::optional<std::int64_t> label;  ///< Class, counted from 0.
  std::vector<TruthObject> objects;
  bool has_objects = false;  ///< An image without objects is a truth, too.
  std::optional<std::string> text;
  std::int64_t image_id = 0;  ///< COCO's; 0 elsewhere.
};

/// One sample with the memory it lies in.
struct Sample {
  std::string name;  ///< Unique in its data set: a path relative to it, or `line 17`.
  std::string bytes;
  std::string text;
  std::string second_text;
  GroundTruth truth;

  RawInput Raw() const { return {bytes, text, second_text}; }
};

/// A sample that could not be used.
struct Damage {
  std::string name;
  std::string reason;
};

/// Samples with what is right for each. The list is fixed when the data set is opened, in an order
/// that depends on the data set alone; files are read when they are asked for.
class Dataset {
 public:
  virtual ~Dataset() = default;

  virtual std::size_t size() const = 0;

  /// Sample `index` < size(). From any thread, several at a time. Errors: bad_input when the file
  /// is gone, empty or too large: the caller counts it as damaged and goes on.
  virtual Status Read(std::size_t index, Sample& sample) const = 0;

  /// Names of the classes by label; empty when unknown.
  const std::vector<std::string>& labels() const { return labels_; }

  /// Samples that were left out when the data set was opened, at most kMaxDamages of them, and how
  /// many there were.
  const std::vector<Damage>& damages() const { return damages_; }
  std::size_t damaged() const { return damaged_; }
  static constexpr std::size_t kMaxDamages = 1000;

 protected:
  void AddDamage(std::string name, std::string reason);

  std::vector<std::string> labels_;

 private:
  std::vector<Damage> damages_;
  std::size_t damaged_ = 0;
};

/// Where sample `position` of `count` lies in a data set of `size` samples, of which `count` <=
/// size are taken, spread evenly: a folder's classes follow one another. `count` is at most 2^31.
inline std::size_t SpreadIndex(std::size_t position, std::size_t count, std::size_t size) {
  return position * (size / count) + position * (size % count) / count;
}

/// Opens the data set that `description` ({"kind": "folder" | "coco" | "texts" | "synthetic", ...},
/// docs/pipelines.md) describes; its paths are relative to `folder`. Errors: bad_input for a
/// wrong description, a missing folder, an unreadable list, or no usable sample at all;
/// environment.
Status OpenDataset(const nlohmann::json& description, const std::string& folder,
                   std::unique_ptr<Dataset>& dataset);

}  // namespace xsp::pipeline

#endif  // XSP_PIPELINE_DATASETS_DATASET_H_
