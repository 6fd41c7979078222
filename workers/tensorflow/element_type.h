#ifndef XSP_WORKERS_TENSORFLOW_ELEMENT_TYPE_H_
#define XSP_WORKERS_TENSORFLOW_ELEMENT_TYPE_H_

#include <tensorflow/c/tf_datatype.h>

#include <optional>
#include <string>

#include "harness/worker.h"

namespace xsp::worker_tensorflow {

TF_DataType DataTypeOf(xsp_worker_dtype dtype);

/// Nothing for types that the harness does not know: strings, complex and quantised numbers.
std::optional<xsp_worker_dtype> ElementTypeOf(TF_DataType type);

/// "float32", "complex64", "string", ...; "type 42" for one that is newer than this list.
std::string TypeName(TF_DataType type);

/// Whether values of that type are tensor data: not a handle of a variable, table or dataset.
bool IsTensorData(TF_DataType type);

}  // namespace xsp::worker_tensorflow

#endif  // XSP_WORKERS_TENSORFLOW_ELEMENT_TYPE_H_
