#ifndef XSP_TRACE_REPLAY_ATTRIBUTES_H_
#define XSP_TRACE_REPLAY_ATTRIBUTES_H_

#include <string_view>

namespace xsp::trace::attribute {

/// On device work that replays a node of a graph: the id of the span that was open when the node
/// was captured, decimal. correlate/ makes layers of it (placed_by graph_node).
inline constexpr std::string_view kCapturedIn = "captured_in";

}  // namespace xsp::trace::attribute

#endif  // XSP_TRACE_REPLAY_ATTRIBUTES_H_
