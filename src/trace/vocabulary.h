#ifndef XSP_TRACE_VOCABULARY_H_
#define XSP_TRACE_VOCABULARY_H_

#include <cstdint>
#include <string_view>

namespace xsp::trace {

/// How deep in the stack an event lies (design, section 2).
enum class Level : std::uint8_t { kApplication, kModel, kLayer, kLibrary, kKernel };
inline constexpr int kLevelCount = 5;

/// What tied a span to its parent (design, section 4). kNone: a root, or nothing could.
enum class PlacedBy : std::uint8_t {
  kNone,
  kId,          ///< Explicit id, or captured on the executing thread inside its operator.
  kNesting,     ///< Containment on one track.
  kLaunch,      ///< The launching call is the parent; the execution gives the time.
  kGraphNode,   ///< A replayed graph node, tied to what was active at its capture.
  kSequence,    ///< Alignment of kernel name sequences.
  kSerialised,  ///< A serialised re-run.
  kConcurrent,  ///< The only operator of its process that was open meanwhile, on another thread.
};
inline constexpr int kPlacedByCount = 8;

enum class TrackKind : std::uint8_t { kProcess, kThread, kDevice, kStream, kEngine, kHost };
enum class LinkKind : std::uint8_t { kFlow, kForwardBackward, kCollective };
/// What the frames of a sampled call stack are: functions of machine code, or of Python.
enum class StackKind : std::uint8_t { kNative, kPython };
inline constexpr int kStackKindCount = 2;

/// What a profiler's file holds.
enum class Role : std::uint8_t {
  kTimeline,       ///< What a program did when: layers, calls, kernels.
  kKernelMetrics,  ///< Values of kernels that were run again to count them: times mean nothing.
  kCounters,       ///< Series of a machine or device; no spans.
  kRanges,         ///< Ranges of threads, neither layers nor kernels.
};

/// A run of such files shows values, not the time that the program takes.
constexpr bool IsOfMetrics(Role role) {
  return role == Role::kKernelMetrics || role == Role::kCounters;
}

/// Lower-case names as stored in run directories: "layer", "graph_node", "forward_backward", ...
std::string_view ToString(Level);
std::string_view ToString(PlacedBy);
std::string_view ToString(TrackKind);
std::string_view ToString(LinkKind);
std::string_view ToString(StackKind);

/// Span types with a meaning of their own (design, section 2). At level kLayer every other type is
/// an operator's.
namespace type {
inline constexpr std::string_view kRange = "range";
inline constexpr std::string_view kStep = "step";
inline constexpr std::string_view kPython = "python";
inline constexpr std::string_view kPredict = "predict";
inline constexpr std::string_view kTrain = "train";
inline constexpr std::string_view kModule = "module";      ///< Groups layers, never counted as one.
inline constexpr std::string_view kFunction = "function";  ///< Likewise.
inline constexpr std::string_view kKernel = "kernel";
inline constexpr std::string_view kMemcpy = "memcpy";
inline constexpr std::string_view kMemset = "memset";
inline constexpr std::string_view kPrimitive = "primitive";
inline constexpr std::string_view kNative = "native";
}  // namespace type

/// Fixed metric names. "flops.<dtype>.<vector or tensor>" is made in primitives/.
namespace metric {
inline constexpr std::string_view kFlopsPrefix = "flops.";
inline constexpr std::string_view kAlgorithmicReadBytes = "algorithmic_read_bytes";
inline constexpr std::string_view kAlgorithmicWriteBytes = "algorithmic_write_bytes";
inline constexpr std::string_view kDramReadBytes = "dram_read_bytes";
inline constexpr std::string_view kDramWriteBytes = "dram_write_bytes";
inline constexpr std::string_view kOccupancy = "occupancy";
inline constexpr std::string_view kAllocatedBytes = "allocated_bytes";
inline constexpr std::string_view kPeakBytes = "peak_bytes";
inline constexpr std::string_view kBytes = "bytes";
inline constexpr std::string_view kEnergyJoules = "energy_joules";
/// On collectives: the larger of one rank's input and output, and the ranks that take part.
inline constexpr std::string_view kMessageBytes = "message_bytes";
inline constexpr std::string_view kGroupSize = "group_size";
/// On replayed kernels, 0 to 1: how sure it is which operator they belong to.
inline constexpr std::string_view kConfidence = "confidence";
// On predict spans of our own recordings, read around each call.
inline constexpr std::string_view kInvoluntaryContextSwitches = "involuntary_context_switches";
inline constexpr std::string_view kRunQueueWaitNs = "run_queue_wait_ns";
inline constexpr std::string_view kStealNs = "steal_ns";
inline constexpr std::string_view kSystemNs = "system_ns";  ///< CPU time in the kernel.
inline constexpr std::string_view kPageFaults = "page_faults";
inline constexpr std::string_view kIteration = "iteration";  ///< 0-based; warm-up calls: negative.
/// In place of `iteration` on calls of the rung above, made beside the run's own for comparison.
inline constexpr std::string_view kBaselineIteration = "baseline_iteration";
/// On calls of our workers: which command asked for them, and which pair they belong to (a call of
/// the run's rung and one of the rung above, in random order).
inline constexpr std::string_view kBlock = "block";
inline constexpr std::string_view kPair = "pair";
/// On calls that answer a request of an open loop: from its arrival to the start of the call.
inline constexpr std::string_view kQueueNs = "queue_ns";
}  // namespace metric

/// Provenance (design, section 2): "measured:<source>", "reported:<tool>", "analytic".
namespace provenance {
inline constexpr std::string_view kAnalytic = "analytic";
inline constexpr std::string_view kMeasuredPrefix = "measured:";
inline constexpr std::string_view kReportedPrefix = "reported:";
}  // namespace provenance

/// Attribute keys that analyses rely on.
namespace attribute {
inline constexpr std::string_view kInputShapes = "input_shapes";  ///< "[[1,3,224,224],[64,3,7,7]]"
inline constexpr std::string_view kInputTypes = "input_types";    ///< "[float32,float32]"
inline constexpr std::string_view kOutputShapes = "output_shapes";  ///< As input_shapes.
/// Of convolutions: their arguments that are no tensors, ";;;[2,2];[0,0]", one entry an argument.
inline constexpr std::string_view kInputValues = "input_values";
inline constexpr std::string_view kSequence = "sequence";  ///< Autograd sequence number.
inline constexpr std::string_view kDtype = "dtype";        ///< "float32", "bfloat16", ...
inline constexpr std::string_view kImplementation =
    "implementation";                                    ///< "brg_conv_fwd:avx512_core"
inline constexpr std::string_view kProblem = "problem";  ///< A primitive's problem description.
inline constexpr std::string_view kPrimitiveKind = "primitive_kind";  ///< "convolution", "reorder"
inline constexpr std::string_view kDirection = "direction";           ///< Copies: "host_to_device".
/// On a launching call: the kernel it names, whether or not it ran.
inline constexpr std::string_view kLaunchedKernel = "launched_kernel";
inline constexpr std::string_view kCollective = "collective";  ///< As the file says: "allreduce".
inline constexpr std::string_view kProcessGroup = "process_group";             ///< Its name.
inline constexpr std::string_view kProcessGroupRanks = "process_group_ranks";  ///< "[0, 1]"
/// On a synchronisation: the stream whose event is waited for.
inline constexpr std::string_view kAwaitedStream = "awaited_stream";
inline constexpr std::string_view kModule = "module";  ///< Modules around, outermost first: "a/b".
inline constexpr std::string_view kPath = "path";      ///< Place in the model: "layer1.0.conv2".
/// Likewise, inside of the innermost module around it, which runs as TorchScript.
inline constexpr std::string_view kScriptPath = "script_path";
/// Nodes of the model's file that a node is made of, with commas.
inline constexpr std::string_view kFusedFrom = "fused_from";
/// On layers of replayed kernels: what told them, one of `reference`.
inline constexpr std::string_view kReplayReference = "replay_reference";
/// Of kernels on devices: blocks of the grid and threads of a block, "[64,1,2]"; registers of a
/// thread; shared memory of a block that the kernel and that its launch asked for, bytes.
inline constexpr std::string_view kGrid = "grid";
inline constexpr std::string_view kBlock = "block";
inline constexpr std::string_view kRegisters = "registers";
inline constexpr std::string_view kStaticSharedBytes = "static_shared_bytes";
inline constexpr std::string_view kDynamicSharedBytes = "dynamic_shared_bytes";
/// "start_end" on ranges that any thread may have ended, and that may overlap others.
inline constexpr std::string_view kRangeKind = "range_kind";
/// On device work that replays a node of a graph: the id of the span that was open when the node
/// was captured, decimal. correlate/ makes layers of it (placed_by graph_node).
inline constexpr std::string_view kCapturedIn = "captured_in";
inline constexpr std::string_view kRaw = "raw";  ///< A line as the library announced it.
}  // namespace attribute

/// Facts that correlate/ relies on.
namespace fact {
/// "cpu": no device took part in the trace, so operators computed where they ran. Set by importers.
inline constexpr std::string_view kOperatorsRanOn = "operators.ran_on";
}  // namespace fact

/// Values of the attribute `replay_reference`.
namespace reference {
inline constexpr std::string_view kCapture = "capture";
inline constexpr std::string_view kEager = "eager iteration";
inline constexpr std::string_view kRunPrefix = "run ";  ///< Before the other run's name.
}  // namespace reference

}  // namespace xsp::trace

#endif  // XSP_TRACE_VOCABULARY_H_
