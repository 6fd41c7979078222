#include "api/operations/program_status.h"

namespace xsp::api {

int StatusOfProgram(const os::ExitStatus& exit) {
  return exit.signal == 0 ? exit.code : 128 + exit.signal;
}

void NoteFailure(const Error& error, Document& document) {
  document.notes.push_back("error: " + error.what);
  if (!error.hint.empty()) document.notes.push_back("hint: " + error.hint);
  const bool is_free = document.exit_status == 0 ||
                       document.exit_status == static_cast<int>(ErrorKind::kInterrupted);
  if (is_free) document.exit_status = static_cast<int>(error.kind);
}

}  // namespace xsp::api
