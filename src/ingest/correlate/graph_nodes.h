#ifndef XSP_INGEST_CORRELATE_GRAPH_NODES_H_
#define XSP_INGEST_CORRELATE_GRAPH_NODES_H_

#include "trace/trace.h"

namespace xsp::correlate {

/// Ties device work of replayed graphs whose recorder knew the nodes (attribute `captured_in`) to
/// the operators that were open when those nodes were captured: by number, nothing is guessed.
///
/// As AttributeReplays() does, work of one operator that follows on in one replay and stream gets a
/// layer of the operator's type, name, input shapes and types, inside what surrounds the replay;
/// within it the innermost operator likewise. Layers and work are placed_by graph_node, and a
/// layer's `replay_reference` is `capture`. Work whose node was captured outside every operator
/// stays with its launch. Operators count here wherever they ran: captures lie outside model spans.
/// Needs PlaceByLaunch() and Nest(); to be called before AttributeReplays(), which leaves alone
/// what is placed here. O(n log n).
void AttributeGraphNodes(trace::Trace& trace);

}  // namespace xsp::correlate

#endif  // XSP_INGEST_CORRELATE_GRAPH_NODES_H_
