#ifndef XSP_STORE_ARGUMENT_STREAM_H_
#define XSP_STORE_ARGUMENT_STREAM_H_

#include <filesystem>
#include <memory>
#include <string_view>

#include "core/result.h"
#include "trace/trace.h"

namespace xsp::store {

class DuckDb;

/// Writes the argument table of a run while the run is still read, on a thread of its own and in
/// bounded memory: arguments are most of a foreign file's text, and nothing but the table needs
/// them. Made by ExperimentWriter::StreamArguments().
///
/// Threading: one thread that adds.
class ArgumentStream : public trace::ArgumentSink {
 public:
  /// Starts writing `file` through `db`.
  ArgumentStream(DuckDb db, std::filesystem::path file);
  ArgumentStream(const ArgumentStream&) = delete;
  ArgumentStream& operator=(const ArgumentStream&) = delete;
  /// Stops; without Finish() the file is left as it is.
  ~ArgumentStream() override;

  /// White space outside strings goes, bytes that are no UTF-8 become U+FFFD. Waits while a few MiB
  /// are not yet written.
  void Add(trace::SpanId span, std::string_view json) override;

  /// No more will come: the rest is written while the caller goes on.
  void End() override;

  /// Waits for the file. Errors: kEnvironment (not writable, disk full).
  Status Finish();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_ARGUMENT_STREAM_H_
