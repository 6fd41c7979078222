#ifndef XSP_INGEST_PRIMITIVES_ANNOUNCEMENT_H_
#define XSP_INGEST_PRIMITIVES_ANNOUNCEMENT_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::primitives {

enum class Library : std::uint8_t { kOneDnn, kMkl };

/// One operand of a primitive, as oneDNN's memory descriptor text names it.
struct Descriptor {
  std::string role;    ///< "src", "wei", "bia", "dst", "data", "diff", "src_layer", "ws", ...
  std::string dtype;   ///< oneDNN's name: "f32", "bf16", "u8"; empty where the line has none.
  std::string layout;  ///< "blocked", "sparse", ...; empty where the line has none.
  std::string tag;     ///< Format tag: "aBcd16b".
  std::string extra;   ///< Last part: "f0", "f0_mask2" (a bias mask), "f8:zpm1".
};

/// One executed oneDNN primitive or MKL call, as the library announced it.
struct Announcement {
  Library library = Library::kOneDnn;
  std::string kind;            ///< "convolution", "reorder"; MKL: "gemm", else the routine's name.
  std::string implementation;  ///< "brg_conv_fwd:avx512_core"; MKL: the routine, "SGEMM".
  std::string propagation;     ///< "forward_inference", "backward_data", "undef"; MKL: empty.
  std::vector<Descriptor> descriptors;  ///< Operands that exist; empty for MKL.
  std::string attributes;               ///< "attr-scratchpad:user attr-post-ops:sum"
  std::string auxiliary;                ///< "alg:convolution_direct", "axis:1"
  /// "mb1_ic3oc64_ih224oh112...", "4x256:256x128"; MKL: the arguments with every address as "*",
  /// so that two calls of one shape have one text: "N,N,96,64,128,*,*,96,*,128,*,96".
  std::string problem;
  std::int64_t execution_time_ns = 0;
};

/// Whether `line` announces an execution at all (as against the library's version, a primitive's
/// creation, a graph partition or text of another program). Cheap: looks at the first fields only.
bool IsExecution(std::string_view line);

/// Reads one line of oneDNN (prefixes onednn_, dnnl_ and mkldnn_verbose; formats 0.x, v0 and v1,
/// with and without time stamp) or of MKL_VERBOSE. Nothing for a line that is no execution or is
/// damaged; any bytes are safe. Pure; any thread.
std::optional<Announcement> ParseAnnouncement(std::string_view line);

/// What a kernel span of it is called: "convolution brg_conv_fwd:avx512_core", "gemm mkl:SGEMM".
std::string KernelName(const Announcement& announcement);

}  // namespace xsp::primitives

#endif  // XSP_INGEST_PRIMITIVES_ANNOUNCEMENT_H_
