#ifndef XSP_API_STORED_NAMES_H_
#define XSP_API_STORED_NAMES_H_

#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/operation.h"
#include "core/result.h"

namespace xsp::api {

/// Each text of the document that is the path of something in `store` becomes its name there, as
/// requests take it: who asks a server knows names, and not where its store lies. Texts within more
/// than 40 arrays or objects stay as they are.
void ToStoredNames(const std::filesystem::path& store, nlohmann::json* document);
/// Also within the notes.
void ToStoredNames(const std::filesystem::path& store, Document* document);

/// The same within the sentences of an error.
Error WithStoredNames(const std::filesystem::path& store, Error error);

}  // namespace xsp::api

#endif  // XSP_API_STORED_NAMES_H_
