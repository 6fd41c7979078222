#ifndef XSP_ANSWER_SUITE_OPERATION_CALL_H_
#define XSP_ANSWER_SUITE_OPERATION_CALL_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "answer/suite/suite_command.h"
#include "core/result.h"

namespace xsp::suite {

/// Performs an operation as one step of a command, on the store in `store`: what commands of the
/// suite measure goes through the same operations as a user's, and no layer of measuring is linked
/// into them. Its progress is not shown: the command reports its own.
///
/// Requests to stop reach it, so that it keeps what it has, and are heeded here from the first call
/// on. Errors: kInterrupted where one came, before or meanwhile; else the operation's.
Result<Performed> CallOperation(const CommandContext& context, std::string_view operation,
                                const nlohmann::json& request, const std::filesystem::path& store);

/// The error and its hint in one text, for tables and sentences: "no such model: x\nhint: y".
std::string TextOf(const Error& error);

/// What failed though there is a document: its last error with its hint, as TextOf(); without one
/// its exit status. Empty where nothing failed.
std::string FailureText(const Performed& performed);

/// The kind of failure that an exit status of an operation states; kEnvironment for a status that
/// states none, such as that of a program.
ErrorKind FailureKind(int exit_status);

}  // namespace xsp::suite

#endif  // XSP_ANSWER_SUITE_OPERATION_CALL_H_
