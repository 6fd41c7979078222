#ifndef XSP_CAPTURE_SAMPLING_PROCESS_IMAGE_H_
#define XSP_CAPTURE_SAMPLING_PROCESS_IMAGE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/sampling/address_space.h"
#include "capture/sampling/stack_samples.h"
#include "capture/sampling/symbols.h"
#include "capture/sampling/unwinder.h"

namespace xsp::sampling {

/// What a process runs: turns its samples into stacks of functions. Processes that were forked and
/// changed nothing since share one.
///
/// Threading: one thread at a time.
class ProcessImage {
 public:
  /// `files` is borrowed.
  ProcessImage(int pid, LoadedFiles& files) : pid_(pid), files_(files) {}

  /// The same memory, of a process of its own.
  std::unique_ptr<ProcessImage> CopyFor(int pid) const;

  void Add(const Mapping& mapping);

  struct Stack {
    std::vector<std::uint32_t> frames;  ///< Of `tree`, the innermost first.
    bool is_cut = false, is_broken = false;
  };
  /// The stack in user mode.
  Stack StackOf(const EventRecord& sample, CallTree& tree);

 private:
  void LoadPending();
  std::uint32_t FrameAt(std::uint64_t address, CallTree& tree);
  const std::string* FindCompiled(std::uint64_t address);

  int pid_;
  LoadedFiles& files_;
  AddressSpace space_;
  std::unique_ptr<Unwinder> unwinder_;  ///< Null before the first sample.
  std::vector<Mapping> pending_;        ///< That the unwinder does not know yet.
  std::unordered_map<std::uint64_t, std::uint32_t> frames_;  ///< By address.
  SymbolList compiled_;                                      ///< By a compiler inside the process.
  std::int64_t compiled_bytes_ = -1;  ///< Of the file when it was read last; -1: never.
};

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_PROCESS_IMAGE_H_
