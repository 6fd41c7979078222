#ifndef XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_PROGRAM_H_
#define XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_PROGRAM_H_

#include <filesystem>
#include <string>

#include "core/result.h"
#include "measure/alternatives/alternatives_cache.h"
#include "measure/alternatives/primitive_work.h"
#include "measure/alternatives/processor.h"

namespace xsp::alternatives {

/// A program that has the library whose alternatives it measures: `xsp-onednn-alternatives`
/// (roofs/onednn) on CPUs, `xsp-cuda-alternatives` (roofs/cuda_alternatives) on GPUs of NVIDIA.
class AlternativesProgram {
 public:
  /// Looks for the program of this kind of processor in os::WorkerFolders() and asks for its
  /// library. Errors: kNotPossible when it or its library is not there (hint: how to get it),
  /// kEnvironment when it does not run.
  static Result<AlternativesProgram> Find(bool is_gpu);

  const std::string& library() const { return library_; }  ///< "oneDNN 3.2.0"

  /// What Measure() is to be given for this processor: the threads of a CPU; of a GPU the ordinal
  /// here, which is its own if the GPU of that ordinal has its name, else the first of its name.
  /// Errors: kBadInput when no GPU of this name is here, kEnvironment and kInterrupted as
  /// Measure().
  Result<int> UnitOf(const Processor& processor, int wake_fd = -1) const;

  /// Measures the alternatives of one primitive on a unit (UnitOf()), in a process of its own, for
  /// about `limit_s` seconds at most. Errors: kNotPossible when the library refuses the primitive,
  /// kEnvironment when the program fails, hangs or prints something else, kInterrupted when
  /// `wake_fd` (-1: none) became readable. Blocks.
  Result<Measured> Measure(const PrimitiveWork& work, int unit, double limit_s,
                           int wake_fd = -1) const;

 private:
  std::filesystem::path program_;
  std::string library_;
};

}  // namespace xsp::alternatives

#endif  // XSP_MEASURE_ALTERNATIVES_ALTERNATIVES_PROGRAM_H_
