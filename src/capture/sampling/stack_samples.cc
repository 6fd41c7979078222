#include "capture/sampling/stack_samples.h"

#include <fmt/format.h>

namespace xsp::sampling {
namespace {

/// Tracks of threads, by process and thread id.
class ThreadTracks {
 public:
  ThreadTracks(const StackSamples& samples, trace::TraceWriter& writer)
      : samples_(samples), writer_(writer) {
    const auto& tracks = writer.trace().tracks;
    for (std::size_t i = 0; i < tracks.size(); ++i)
      if (tracks[i].kind == trace::TrackKind::kThread)
        tracks_.try_emplace({tracks[i].process_id, tracks[i].thread_id},
                            static_cast<trace::TrackId>(i + 1));
  }

  trace::TrackId Of(const StackSample& sample) {
    const auto [it, is_new] = tracks_.try_emplace({sample.process_id, sample.thread_id}, 0);
    if (is_new) {
      const auto name = samples_.thread_names.find(sample.thread_id);
      it->second = writer_.AddTrack({.kind = trace::TrackKind::kThread,
                                     .name = name != samples_.thread_names.end()
                                                 ? name->second
                                                 : fmt::format("thread {}", sample.thread_id),
                                     .process_id = sample.process_id,
                                     .thread_id = sample.thread_id});
    }
    return it->second;
  }

 private:
  const StackSamples& samples_;
  trace::TraceWriter& writer_;
  std::map<std::pair<std::int64_t, std::int64_t>, trace::TrackId> tracks_;
};

/// Samples that are missing leave shares as they are, within the error that sampling has: they are
/// notes.
void CountMissing(const StackSamples& samples, trace::TraceWriter& writer) {
  const auto count = [&](std::string_view name, std::int64_t count, std::string_view hint) {
    if (count > 0) writer.Count({name, hint, trace::DiagnosticKind::kNote}, "", count);
  };
  count(
      "sampling_lost", samples.lost,
      "Samples that the kernel had no space for: the machine was too busy for the sampler. Ask for "
      "a lower rate.");
  count("sampling_damaged", samples.damaged, "Records of the kernel that could not be read.");
  count("sampling_cut_stacks", samples.cut_stacks,
        "Stacks deeper than what is copied of them: their outermost callers are missing, and what "
        "was seen begins at the top of the flame graph.");
  count("sampling_broken_stacks", samples.broken_stacks,
        "Stacks with a function that has no unwinding tables and no frame pointer: its callers are "
        "missing. Compile it with -fasynchronous-unwind-tables or -fno-omit-frame-pointer.");
  count(
      "sampling_thinned", samples.kept_every > 1 ? 1 : 0,
      "There were more samples than are kept in memory: only every n-th stands here, see the fact "
      "sampling.native.kept_every.");
  if (!samples.has_kernel_frames) {
    writer.Count(
        {"sampling_kernel_hidden",
         "Time in the kernel is not sampled. As root: `sysctl kernel.perf_event_paranoid=1`; "
         "or give xsp CAP_PERFMON.",
         trace::DiagnosticKind::kNote},
        samples.kernel_hidden_why);
  }
}

}  // namespace

std::uint32_t CallTree::InternFrame(const std::string& function, const std::string& module) {
  const auto [it, is_new] =
      frame_ids_.try_emplace({function, module}, static_cast<std::uint32_t>(frames_.size()));
  if (is_new) frames_.push_back({function, module});
  return it->second;
}

std::uint32_t CallTree::Child(std::uint32_t parent, std::uint32_t frame) {
  const auto [it, is_new] = node_ids_.try_emplace(std::uint64_t{parent} << 32 | frame,
                                                  static_cast<std::uint32_t>(nodes_.size()));
  if (is_new) nodes_.push_back({parent, frame});
  return it->second;
}

void AddToTrace(const StackSamples& samples, trace::TraceWriter& writer) {
  const CallTree& tree = samples.tree;
  std::vector<trace::CallStackId> stacks(tree.nodes().size(), 0);
  for (std::size_t i = 1; i < stacks.size(); ++i) {
    const CallTree::Node& node = tree.nodes()[i];
    const Frame& frame = tree.frames()[node.frame];
    stacks[i] = writer.AddCallStack(stacks[node.parent], frame.function, frame.module);
  }
  ThreadTracks tracks(samples, writer);
  for (const StackSample& sample : samples.samples)
    writer.AddStackSample(tracks.Of(sample), sample.time_ns + samples.realtime_offset_ns,
                          stacks[sample.node], trace::StackKind::kNative);
  writer.SetFact("sampling.native.rate_hz", fmt::format("{}", samples.rate_hz));
  writer.SetFact("sampling.native.kept_every", fmt::format("{}", samples.kept_every));
  writer.SetFact("sampling.native.samples", fmt::format("{}", samples.samples.size()));
  writer.SetFact("sampling.native.lost", fmt::format("{}", samples.lost));
  writer.SetFact("sampling.native.cost_pct", fmt::format("{:.2f}", 100 * samples.CostShare()));
  writer.SetFact("sampling.native.kernel",
                 samples.has_kernel_frames ? "sampled" : samples.kernel_hidden_why);
  CountMissing(samples, writer);
}

}  // namespace xsp::sampling
