#ifndef XSP_WORKERS_MXNET_ARRAYS_H_
#define XSP_WORKERS_MXNET_ARRAYS_H_

#include <mxnet/c_api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "harness/worker.h"
#include "harness/worker_errors.h"

namespace xsp::worker_mxnet {

using worker::WorkerError;

constexpr int kCpu = 1;  ///< MXNet's number for the kind of device.

/// Throws WorkerError when a call of MXNet failed (`result` != 0): `context` and MXNet's message
/// without its C++ stack. not_possible for an operator that this MXNet does not have, environment
/// where memory ran out, else bad_input.
void Check(int result, const std::string& context, const std::string& hint);

struct FreeArray {
  void operator()(void* array) const { MXNDArrayFree(array); }
};
struct FreeSymbol {
  void operator()(void* symbol) const { MXSymbolFree(symbol); }
};
struct FreeExecutor {
  void operator()(void* executor) const { MXExecutorFree(executor); }
};
using Array = std::unique_ptr<void, FreeArray>;
using Symbol = std::unique_ptr<void, FreeSymbol>;
using Executor = std::unique_ptr<void, FreeExecutor>;

/// MXNet's number of a type (mshadow/base.h), and back; nothing for one that the other does not
/// know.
std::optional<int> TypeFlagOf(xsp_worker_dtype dtype);
std::optional<xsp_worker_dtype> ElementTypeOf(int type_flag);

Array MakeArray(const std::vector<std::int64_t>& shape, xsp_worker_dtype dtype);
std::vector<std::int64_t> ShapeOf(NDArrayHandle array);
int TypeFlagOfArray(NDArrayHandle array);

/// "[1,3,224,224]".
std::string ShapeText(const std::vector<std::int64_t>& shape);

}  // namespace xsp::worker_mxnet

#endif  // XSP_WORKERS_MXNET_ARRAYS_H_
