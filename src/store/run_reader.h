#ifndef XSP_STORE_RUN_READER_H_
#define XSP_STORE_RUN_READER_H_

#include <filesystem>
#include <memory>

#include "core/result.h"
#include "trace/trace.h"

namespace xsp::store {

/// Reads runs back into columns, for whoever walks a whole timeline. One engine serves many runs.
///
/// Threading: one thread at a time.
class RunReader {
 public:
  static Result<RunReader> Create();

  RunReader(RunReader&&) noexcept;
  RunReader& operator=(RunReader&&) noexcept;
  ~RunReader();

  /// The run in `folder`: what was given to ExperimentWriter::AddRun(), ids included. A table that
  /// the folder lacks has no rows. Errors: kBadInput (not a run, a newer format, a damaged file).
  Result<trace::Trace> Read(const std::filesystem::path& folder) const;

  /// Spans, tracks, metrics, attributes, facts, and of the counters those of power (in watt).
  Result<trace::Trace> ReadSpans(const std::filesystem::path& folder) const;

 private:
  struct State;
  explicit RunReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace xsp::store

#endif  // XSP_STORE_RUN_READER_H_
