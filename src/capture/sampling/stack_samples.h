#ifndef XSP_CAPTURE_SAMPLING_STACK_SAMPLES_H_
#define XSP_CAPTURE_SAMPLING_STACK_SAMPLES_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace/trace.h"

namespace xsp::sampling {

/// A function that was seen in a stack.
struct Frame {
  std::string function;  ///< Demangled. Of an unknown one: "libfoo.so+0x1a40", where it begins.
  std::string module;    ///< The file's name without its folder; "[kernel]", "[jit]", "[unknown]".
};

/// The call tree: a node is a frame below the node of its caller, so that stacks share what they
/// have in common. Node 0 is above all roots.
class CallTree {
 public:
  struct Node {
    std::uint32_t parent;
    std::uint32_t frame;  ///< Index into frames().
  };

  std::uint32_t InternFrame(const std::string& function, const std::string& module);
  /// The node of `frame` called by `parent`.
  std::uint32_t Child(std::uint32_t parent, std::uint32_t frame);

  const std::vector<Frame>& frames() const { return frames_; }
  const std::vector<Node>& nodes() const { return nodes_; }

 private:
  std::vector<Frame> frames_;
  std::vector<Node> nodes_ = {{0, 0}};
  std::map<std::pair<std::string, std::string>, std::uint32_t> frame_ids_;
  std::unordered_map<std::uint64_t, std::uint32_t> node_ids_;
};

struct StackSample {
  std::int64_t time_ns;  ///< CLOCK_MONOTONIC.
  std::int32_t process_id, thread_id;
  std::uint32_t node;  ///< Of the call tree: the function that ran.
};

/// What a StackSampler has seen. A sample stands for 1 / `rate_hz` s of CPU time of its thread
/// (times `kept_every`); a thread that waits is not sampled.
struct StackSamples {
  double rate_hz = 0;  ///< As asked for, per thread and second of its CPU time.
  CallTree tree;
  std::vector<StackSample> samples;  ///< By time.
  /// Names of processes (thread id = process id) and threads, by thread id; the last that was seen.
  std::map<std::int32_t, std::string> thread_names;
  std::int64_t realtime_offset_ns = 0;  ///< Added to a time it is ns since 1970, UTC.

  std::int64_t kept_every = 1;     ///< 2, 4, ... where there were more than `most_samples`.
  std::int64_t lost = 0;           ///< Samples that the kernel had no space for.
  std::int64_t damaged = 0;        ///< Records that could not be read.
  std::int64_t cut_stacks = 0;     ///< Deeper than `stack_bytes` or kMostFrames: callers missing.
  std::int64_t broken_stacks = 0;  ///< A function without unwinding tables: callers missing.
  bool has_kernel_frames = false;  ///< Else the time spent in the kernel is not sampled at all.
  std::string kernel_hidden_why;   ///< Where not; empty: has_kernel_frames.
  std::int64_t cpu_ns = 0;         ///< CPU time of the sampler's own thread, over `wall_ns`.
  std::int64_t wall_ns = 0;

  /// Share of one core that unwinding took; the program's own part (an interrupt and a copy of the
  /// stack a sample) is not in it.
  double CostShare() const {
    return wall_ns > 0 ? static_cast<double>(cpu_ns) / static_cast<double>(wall_ns) : 0;
  }
};

/// Adds the samples to a trace whose clock counts from 1970, on the tracks of their threads (those
/// that are there already, else new ones of kind thread); what is missing as diagnostics
/// `sampling_*`; rate and cost as facts `sampling.native.*`.
void AddToTrace(const StackSamples& samples, trace::TraceWriter& writer);

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_STACK_SAMPLES_H_
