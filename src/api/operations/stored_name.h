#ifndef XSP_API_OPERATIONS_STORED_NAME_H_
#define XSP_API_OPERATIONS_STORED_NAME_H_

#include <filesystem>
#include <string>

#include "api/operation.h"

namespace xsp::api {

/// Adds a note where an experiment is stored under another name than `asked`, which was taken.
void NoteOtherName(const std::string& asked, const std::filesystem::path& stored,
                   Document& document);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_STORED_NAME_H_
