#include "capture/record/cuda/activity/graph_captures.h"

namespace xsp::record::cuda {
namespace {

/// Calls of this thread that instantiate a graph, one in the other.
thread_local int instantiating_depth = 0;

}  // namespace

void GraphCaptures::Created(std::uint64_t node) {
  const xsp_span span = xsp_current();
  if (span == 0 || instantiating_depth > 0) return;
  const std::lock_guard lock(mutex_);
  // The clone's own span is that of its original: what is open around an instantiation is not.
  if (!span_of_.try_emplace(node, span).second) return;
  xsp_captured(span, node);
}

void GraphCaptures::Cloned(std::uint64_t node, std::uint64_t original) {
  const std::lock_guard lock(mutex_);
  const auto it = span_of_.find(original);
  if (it == span_of_.end()) return;
  const xsp_span span = it->second;
  span_of_[node] = span;
  xsp_captured(span, node);
}

void GraphCaptures::Destroyed(std::uint64_t node) {
  const std::lock_guard lock(mutex_);
  span_of_.erase(node);
}

void GraphCaptures::Instantiating(bool begins) {
  if (begins) {
    ++instantiating_depth;
  } else if (instantiating_depth > 0) {
    --instantiating_depth;
  }
}

}  // namespace xsp::record::cuda
