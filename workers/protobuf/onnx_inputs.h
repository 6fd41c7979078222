#ifndef XSP_WORKERS_PROTOBUF_ONNX_INPUTS_H_
#define XSP_WORKERS_PROTOBUF_ONNX_INPUTS_H_

#include <filesystem>
#include <string_view>
#include <vector>

#include "harness/worker.h"

namespace xsp::protobuf {

/// The inputs of a serialised ModelProto
/// (https://github.com/onnx/onnx/blob/main/onnx/onnx.proto), in its order, without those that have
/// a stored value; sizes that the file leaves open keep their names, which frameworks that read
/// ONNX files may drop. Empty where it is damaged or has none. An element type that XSP has not is
/// XSP_WORKER_UNKNOWN.
std::vector<xsp_worker_input> OnnxInputs(std::string_view model);

/// The same of a file, which is mapped: weights are not read.
std::vector<xsp_worker_input> OnnxInputsOfFile(const std::filesystem::path& path);

}  // namespace xsp::protobuf

#endif  // XSP_WORKERS_PROTOBUF_ONNX_INPUTS_H_
