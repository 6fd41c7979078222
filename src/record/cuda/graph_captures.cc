#include "record/cuda/graph_captures.h"

namespace xsp::record::cuda {

void GraphCaptures::Created(std::uint64_t node) {
  const xsp_span span = xsp_current();
  if (span == 0) return;
  xsp_captured(span, node);
  const std::lock_guard lock(mutex_);
  span_of_[node] = span;
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

}  // namespace xsp::record::cuda
