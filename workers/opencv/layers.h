#ifndef XSP_WORKERS_OPENCV_LAYERS_H_
#define XSP_WORKERS_OPENCV_LAYERS_H_

#include <cstddef>
#include <cstdint>
#include <opencv2/dnn.hpp>
#include <string>
#include <vector>

#include "capture/wire/xsp.h"

namespace xsp::worker_opencv {

/// The layers of a net in the order in which it runs them, and what they did in a call.
///
/// OpenCV keeps how long each layer of the last call took (Net::getPerfProfile: CPU ticks, here
/// nanoseconds), not when it began. Layers are laid one after another from the call's start. A
/// layer that took no time was not run: it is part of the layer before it that computes it, too.
class Layers {
 public:
  Layers() = default;
  /// `inputs`: the shapes of what is fed in, in the order of the net's inputs. The net has run
  /// once.
  Layers(cv::dnn::Net& net, const std::vector<cv::dnn::MatShape>& inputs);

  /// Records the layers of the last call as spans of `call`, which ran from `start_ns` to `end_ns`
  /// (CLOCK_MONOTONIC).
  void Record(cv::dnn::Net& net, xsp_span call, std::uint64_t start_ns, std::uint64_t end_ns,
              bool with_details) const;

  /// Whether a layer computes in integers of 8 bits.
  bool HasInt8() const;

 private:
  struct Layer {
    std::string name, type;
    xsp_string name_id, type_id;
    std::vector<std::size_t> inputs;  ///< Places in layers_.
    std::string input_shapes, input_types, output_shapes;
  };

  std::size_t RunBy(std::size_t layer, const std::vector<double>& ticks) const;

  std::vector<Layer> layers_;  ///< By id, from 1: 0 is the input.
};

}  // namespace xsp::worker_opencv

#endif  // XSP_WORKERS_OPENCV_LAYERS_H_
