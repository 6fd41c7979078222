#include "mxnet/arrays.h"

#include "harness/guarded.h"

namespace xsp::worker_mxnet {
namespace {

struct Known {
  xsp_worker_dtype dtype;
  int flag;
};

constexpr Known kKnown[] = {
    {XSP_FLOAT32, 0}, {XSP_FLOAT64, 1}, {XSP_FLOAT16, 2}, {XSP_UINT8, 3}, {XSP_INT32, 4},
    {XSP_INT8, 5},    {XSP_INT64, 6},   {XSP_BOOL, 7},    {XSP_INT16, 8}, {XSP_BFLOAT16, 12},
};

/// "[time] file.cc:12: Check failed: a == b (1 vs. 2) : what happened" -> from "Check failed" on.
std::string Essence(const std::string& message) {
  std::string text = message;
  for (const char* mark : {"Check failed: ", "Error in operator "}) {
    const std::size_t at = message.find(mark);
    if (at == std::string::npos) continue;
    text = message.substr(at);
    break;
  }
  text = text.substr(0, text.find("\nStack trace"));
  for (char& c : text)
    if (c == '\n') c = ' ';
  return text.empty() ? "no reason given" : text;
}

}  // namespace

void Check(int result, const std::string& context, const std::string& hint) {
  if (result == 0) return;
  const std::string whole = MXGetLastError();
  const std::string text = Essence(whole);
  if (worker::IsOutOfMemory(whole)) {
    throw WorkerError(ErrorKind::kEnvironment, "memory ran out: " + text,
                      "use a smaller batch or a smaller model");
  }
  if (whole.find("is not registered") != std::string::npos) {
    throw WorkerError(ErrorKind::kNotPossible, context + ": " + text,
                      "this MXNet has no such operator: use the version that wrote the model");
  }
  throw WorkerError(ErrorKind::kBadInput, context + ": " + text, hint);
}

std::optional<int> TypeFlagOf(xsp_worker_dtype dtype) {
  for (const Known& known : kKnown)
    if (known.dtype == dtype) return known.flag;
  return std::nullopt;
}

std::optional<xsp_worker_dtype> ElementTypeOf(int type_flag) {
  for (const Known& known : kKnown)
    if (known.flag == type_flag) return known.dtype;
  return std::nullopt;
}

Array MakeArray(const std::vector<std::int64_t>& shape, xsp_worker_dtype dtype) {
  const std::vector<std::uint32_t> sizes(shape.begin(), shape.end());
  NDArrayHandle array = nullptr;
  Check(MXNDArrayCreateEx(sizes.data(), static_cast<std::uint32_t>(sizes.size()), kCpu, 0, 0,
                          TypeFlagOf(dtype).value_or(0), &array),
        "cannot make an array", "");
  return Array(array);
}

std::vector<std::int64_t> ShapeOf(NDArrayHandle array) {
  int rank = 0;
  const int* sizes = nullptr;
  if (MXNDArrayGetShapeEx(array, &rank, &sizes) != 0 || rank < 0) return {};
  return {sizes, sizes + rank};
}

int TypeFlagOfArray(NDArrayHandle array) {
  int flag = 0;
  return MXNDArrayGetDType(array, &flag) == 0 ? flag : -1;
}

std::string ShapeText(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i > 0 ? "," : "") + std::to_string(shape[i]);
  return text + "]";
}

}  // namespace xsp::worker_mxnet
