#ifndef XSP_ROOFS_ONEDNN_MEMORY_LAYOUT_H_
#define XSP_ROOFS_ONEDNN_MEMORY_LAYOUT_H_

#include <oneapi/dnnl/dnnl.hpp>
#include <string>

namespace xsp::onednn_alternatives {

/// Plain: dimensions in their order, the last one contiguous ("abcd": NCHW).
dnnl::memory::dims PlainStrides(const dnnl::memory::dims& sizes);

/// The second dimension contiguous, then the others from the last ("acdb": NHWC).
dnnl::memory::dims ChannelsLastStrides(const dnnl::memory::dims& sizes);

/// Plain with the last two dimensions exchanged ("ba").
dnnl::memory::dims TransposedStrides(const dnnl::memory::dims& sizes);

/// The layout as oneDNN's format tags name it: "acdb", "aBcd16b"; "any" before one was chosen,
/// "opaque" for one that is not blocked.
std::string LayoutName(const dnnl::memory::desc& description);

}  // namespace xsp::onednn_alternatives

#endif  // XSP_ROOFS_ONEDNN_MEMORY_LAYOUT_H_
