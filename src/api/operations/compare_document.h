#ifndef XSP_API_OPERATIONS_COMPARE_DOCUMENT_H_
#define XSP_API_OPERATIONS_COMPARE_DOCUMENT_H_

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "derive/compare/compared_sides.h"

namespace xsp::api {

/// Two compared sides as the document of `xsp compare`. What is not known is null.
nlohmann::json CompareDocument(const compare::Sides& sides, const compare::ComparedSides& compared);

/// Adds what people should know besides: a side without layers, kernels that are not compared.
void NoteComparison(const compare::Sides& sides, const compare::ComparedSides& compared,
                    std::vector<std::string>& notes);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_COMPARE_DOCUMENT_H_
