#ifndef XSP_API_STORED_NAMES_H_
#define XSP_API_STORED_NAMES_H_

#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/operation.h"

namespace xsp::api {

/// Each text of the document that is the path of something in `store` becomes its name there, as
/// requests take it: who asks a server knows names, and not where its store lies. Texts within more
/// than 40 arrays or objects stay as they are.
void ToStoredNames(const std::filesystem::path& store, nlohmann::json* document);
void ToStoredNames(const std::filesystem::path& store, Document* document);

}  // namespace xsp::api

#endif  // XSP_API_STORED_NAMES_H_
