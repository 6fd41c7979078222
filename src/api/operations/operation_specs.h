#ifndef XSP_API_OPERATIONS_OPERATION_SPECS_H_
#define XSP_API_OPERATIONS_OPERATION_SPECS_H_

#include <span>

#include "api/operations/operation_list.h"

namespace xsp::api {

/// The declarations of src/api/operations/*_operation.cc. Generated (module.cmake).
std::span<const OperationSpec* const> AllOperationSpecs();

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_OPERATION_SPECS_H_
