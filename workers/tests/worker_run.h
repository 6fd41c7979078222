#ifndef XSP_WORKERS_TESTS_WORKER_RUN_H_
#define XSP_WORKERS_TESTS_WORKER_RUN_H_

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "capture/wire/reader.h"
#include "os/subprocess.h"

namespace xsp::workers_test {

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path Write(const std::string& name, const std::string& text) const;

 private:
  std::filesystem::path path_;
};

struct Span {
  std::uint32_t parent;
  int level;
  std::string type, name;
  std::int64_t start_ns, end_ns;
  std::map<std::string, double> metrics;
  std::map<std::string, std::string> attributes;
};

/// A recording, read whole.
struct Recording {
  std::map<std::uint32_t, Span> spans;
  std::vector<std::uint32_t> calls;  ///< The predict spans, in order.
  std::map<std::string, std::string> facts;
  wire::Losses losses;

  /// The spans inside `call`, in order; itself left out.
  std::vector<const Span*> Inside(std::uint32_t call) const;
  /// How many spans inside `call` have that level and type.
  int Count(std::uint32_t call, int level, const std::string& type) const;
  /// The last call.
  std::uint32_t last() const { return calls.back(); }
};

/// Reads a file; a test failure when it is none.
Recording ReadRecording(const std::filesystem::path& path);

/// What a worker that ran to its end left.
struct Finished {
  int exit_code = 0;
  int signal = 0;
  std::string out;
  std::string error_text;  ///< Its stderr.
};

Finished RunWorker(const std::filesystem::path& program, const std::vector<std::string>& arguments);

/// Starts a worker under the control protocol.
os::Subprocess StartWorker(const std::filesystem::path& program, const std::filesystem::path& job,
                           const std::filesystem::path& recording);

/// The next event; null when stdout ended. A test failure when the line is no JSON object.
nlohmann::json NextEvent(os::Subprocess& worker);

}  // namespace xsp::workers_test

#endif  // XSP_WORKERS_TESTS_WORKER_RUN_H_
