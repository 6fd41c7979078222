#include "tensorflow/element_type.h"

namespace xsp::worker_tensorflow {
namespace {

struct Known {
  xsp_worker_dtype dtype;
  TF_DataType type;
};

constexpr Known kKnown[] = {
    {XSP_FLOAT32, TF_FLOAT}, {XSP_FLOAT64, TF_DOUBLE},    {XSP_FLOAT16, TF_HALF},
    {XSP_INT64, TF_INT64},   {XSP_BFLOAT16, TF_BFLOAT16}, {XSP_INT32, TF_INT32},
    {XSP_INT16, TF_INT16},   {XSP_INT8, TF_INT8},         {XSP_UINT8, TF_UINT8},
    {XSP_BOOL, TF_BOOL},
};

struct Named {
  TF_DataType type;
  const char* name;
};

constexpr Named kOthers[] = {
    {TF_STRING, "string"},   {TF_COMPLEX64, "complex64"}, {TF_COMPLEX128, "complex128"},
    {TF_QINT8, "qint8"},     {TF_QUINT8, "quint8"},       {TF_QINT16, "qint16"},
    {TF_QUINT16, "quint16"}, {TF_QINT32, "qint32"},       {TF_UINT16, "uint16"},
    {TF_UINT32, "uint32"},   {TF_UINT64, "uint64"},       {TF_RESOURCE, "resource"},
    {TF_VARIANT, "variant"},
};

}  // namespace

TF_DataType DataTypeOf(xsp_worker_dtype dtype) {
  for (const Known& known : kKnown)
    if (known.dtype == dtype) return known.type;
  return TF_FLOAT;
}

std::optional<xsp_worker_dtype> ElementTypeOf(TF_DataType type) {
  for (const Known& known : kKnown)
    if (known.type == type) return known.dtype;
  return std::nullopt;
}

std::string TypeName(TF_DataType type) {
  if (const auto dtype = ElementTypeOf(type)) return xsp_worker_dtype_name(*dtype);
  for (const Named& other : kOthers)
    if (other.type == type) return other.name;
  return "type " + std::to_string(static_cast<int>(type));
}

bool IsTensorData(TF_DataType type) { return type != TF_RESOURCE && type != TF_VARIANT; }

}  // namespace xsp::worker_tensorflow
