#ifndef XSP_APP_SERVE_QUEUED_IMPORT_H_
#define XSP_APP_SERVE_QUEUED_IMPORT_H_

#include <filesystem>
#include <string>

#include "app/serve/job_queue.h"
#include "app/serve/uploads.h"
#include "core/result.h"

namespace xsp::serve {

/// Moves a file of the server's own to the uploads, and queues its import as an experiment `name`.
/// Errors: kEnvironment (the queue is full; no space); the file may be gone. Any thread.
Status QueueImport(const std::filesystem::path& file, const std::string& name, Uploads* uploads,
                   JobQueue* jobs);

}  // namespace xsp::serve

#endif  // XSP_APP_SERVE_QUEUED_IMPORT_H_
