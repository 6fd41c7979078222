#ifndef XSP_CAPTURE_SAMPLING_SAMPLE_BUILDER_H_
#define XSP_CAPTURE_SAMPLING_SAMPLE_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "capture/sampling/event_record.h"
#include "capture/sampling/process_image.h"
#include "capture/sampling/stack_samples.h"

namespace xsp::sampling {

/// Turns the records of several CPUs into samples: puts them in order of time, follows what
/// processes load, start and become, and unwinds.
///
/// Threading: one thread at a time.
class SampleBuilder {
 public:
  SampleBuilder(double rate_hz, std::size_t most_samples);

  /// A process that ran before its events were opened: what it has loaded.
  void AddRunning(int pid);

  /// Keeps a record until Process().
  void Take(std::span<const char> record);
  /// Uses the records that were written before `time_ns`: there must be none left that Take() was
  /// not given.
  void Process(std::int64_t time_ns);

  /// Once, at the end.
  StackSamples Finish();

 private:
  /// A process that may be sampled.
  struct Program {
    std::shared_ptr<ProcessImage> image;
    std::int64_t threads = 1;
  };

  void Use(const EventRecord& record);
  void UseMapping(const EventRecord& record);
  void UseFork(const EventRecord& record);
  void UseExit(const EventRecord& record);
  void UseSample(const EventRecord& record);
  Program& ProcessOf(std::int32_t pid);
  void NameKernelFrames();

  StackSamples samples_;
  const std::size_t most_samples_;
  std::int64_t seen_ = 0;  ///< Samples, those that were dropped for memory included.
  std::vector<EventRecord> waiting_;
  LoadedFiles files_;
  std::map<std::int32_t, Program> processes_;
  std::map<std::uint32_t, std::uint64_t>
      kernel_frames_;  ///< Addresses of those without a name yet.
};

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_SAMPLE_BUILDER_H_
