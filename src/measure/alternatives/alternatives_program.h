#ifndef XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_PROGRAM_H_
#define XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_PROGRAM_H_

#include <filesystem>
#include <string>

#include "core/result.h"
#include "measure/alternatives/alternatives_cache.h"
#include "measure/alternatives/primitive_work.h"

namespace xsp::alternatives {

/// The program `xsp-onednn-alternatives` (roofs/onednn), which has oneDNN in it.
class AlternativesProgram {
 public:
  /// Looks for it in os::WorkerFolders() and asks for its library. Errors: kNotPossible when it is
  /// not there (hint: how to get it), kEnvironment when it does not run.
  static Result<AlternativesProgram> Find();

  const std::string& library() const { return library_; }  ///< "oneDNN 3.2.0"

  /// Measures the alternatives of one primitive on `threads` threads, in a process of its own, for
  /// about `limit_s` seconds at most. Errors: kNotPossible when the library refuses the primitive,
  /// kEnvironment when the program fails, hangs or prints something else, kInterrupted when
  /// `wake_fd` (-1: none) became readable. Blocks.
  Result<Measured> Measure(const PrimitiveWork& work, int threads, double limit_s,
                           int wake_fd = -1) const;

 private:
  std::filesystem::path program_;
  std::string library_;
};

}  // namespace xsp::alternatives

#endif  // XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_PROGRAM_H_
