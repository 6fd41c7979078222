#ifndef XSP_APP_CLI_STARTED_PROGRAM_H_
#define XSP_APP_CLI_STARTED_PROGRAM_H_

#include <filesystem>
#include <string>

#include "api/operation.h"
#include "core/result.h"

namespace xsp::cli {

// What commands have in common that start a program in their place: what stands after `--`.

/// Writes `text` to `file`; where that is empty to standard output, or to standard error where a
/// program was started, whose output the other is. Errors: kEnvironment.
Status DeliverBeside(const std::filesystem::path& file, const std::string& text);

/// The exit status with which whoever started us sees what they would have seen of the program
/// alone: the document's, unless it is 0 and `delivered` is an error, which is reported. Ends this
/// process where a signal ended the document's `program`.
Result<int> EndAsTheProgram(const api::Document& document, const Status& delivered);

}  // namespace xsp::cli

#endif  // XSP_APP_CLI_STARTED_PROGRAM_H_
