#include "derive/timeline/collectives/collective_attributes.h"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "trace/vocabulary.h"

namespace xsp::timeline::collectives {
namespace {

enum class AttributeKey : std::uint8_t { kUnseen, kOther, kCollective, kGroup, kRanks, kDtype };

AttributeKey SaidKeyOf(std::string_view text) {
  if (text == trace::attribute::kCollective) return AttributeKey::kCollective;
  if (text == trace::attribute::kProcessGroup) return AttributeKey::kGroup;
  if (text == trace::attribute::kProcessGroupRanks) return AttributeKey::kRanks;
  if (text == trace::attribute::kDtype) return AttributeKey::kDtype;
  return AttributeKey::kOther;
}

/// What a string means as a key, asked once for each.
class Keys {
 public:
  explicit Keys(const trace::Trace& trace) : trace_(trace), keys_(trace.strings.size()) {}
  AttributeKey operator[](trace::StringId id) {
    AttributeKey& key = keys_[id];
    if (key == AttributeKey::kUnseen) key = SaidKeyOf(trace_.Text(id));
    return key;
  }

 private:
  const trace::Trace& trace_;
  std::vector<AttributeKey> keys_;
};

}  // namespace

CollectiveAttributeIndex::CollectiveAttributeIndex(const Timeline& timeline) : timeline_(timeline) {
  const trace::Trace& trace = timeline.trace();
  Keys keys(trace);
  for (std::size_t i = 0; i < trace.attributes.size(); ++i)
    if (keys[trace.attributes.key[i]] == AttributeKey::kCollective)
      attributes_[trace.attributes.span[i]].collective = trace.Text(trace.attributes.value[i]);
  if (attributes_.empty()) return;
  for (std::size_t i = 0; i < trace.attributes.size(); ++i) {
    const AttributeKey key = keys[trace.attributes.key[i]];
    if (key <= AttributeKey::kCollective) continue;
    const auto it = attributes_.find(trace.attributes.span[i]);
    if (it == attributes_.end()) continue;
    const std::string_view text = trace.Text(trace.attributes.value[i]);
    if (key == AttributeKey::kGroup) it->second.process_group = text;
    if (key == AttributeKey::kRanks) it->second.process_group_ranks = text;
    if (key == AttributeKey::kDtype) it->second.dtype = text;
  }
  for (std::size_t i = 0; i < trace.metrics.size(); ++i) {
    const std::string_view name = trace.Text(trace.metrics.name[i]);
    const bool is_bytes = name == trace::metric::kMessageBytes;
    if (!is_bytes && name != trace::metric::kGroupSize) continue;
    const auto it = attributes_.find(trace.metrics.span[i]);
    if (it == attributes_.end()) continue;
    (is_bytes ? it->second.bytes : it->second.group_size) = trace.metrics.value[i];
  }
}

const CollectiveAttributes* CollectiveAttributeIndex::Of(const DeviceSpan& span) const {
  if (attributes_.empty()) return nullptr;
  if (const auto it = attributes_.find(span.span); it != attributes_.end()) return &it->second;
  const trace::Column<trace::SpanId>& parents = timeline_.trace().spans.parent;
  // Parents have no circles after correlation; a damaged run that was read back may.
  int most = 1000;
  for (trace::SpanId at = span.launch; at != 0 && most > 0; at = parents[at - 1], --most)
    if (const auto it = attributes_.find(at); it != attributes_.end()) return &it->second;
  return nullptr;
}

}  // namespace xsp::timeline::collectives
