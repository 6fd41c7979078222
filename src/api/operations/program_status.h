#ifndef XSP_API_OPERATIONS_PROGRAM_STATUS_H_
#define XSP_API_OPERATIONS_PROGRAM_STATUS_H_

#include "api/operation.h"
#include "core/result.h"
#include "os/subprocess.h"

namespace xsp::api {

/// The exit status by which whoever started us sees how the program ended that ran in our place; of
/// one that a signal ended, 128 and the signal's number, as a shell has it.
int StatusOfProgram(const os::ExitStatus& exit);

/// Notes a failure of XSP beside a program. It becomes the exit status where the program itself did
/// not fail: it hides no failure of the program.
void NoteFailure(const Error& error, Document& document);

}  // namespace xsp::api

#endif  // XSP_API_OPERATIONS_PROGRAM_STATUS_H_
