#include "ingest/importers/line_reader.h"

#include <algorithm>

namespace xsp::importers {

LineReader::LineReader(ByteStream& stream, std::size_t chunk_bytes)
    : stream_(stream), chunk_(chunk_bytes, '\0') {}

std::optional<std::string_view> LineReader::Next() {
  line_.clear();
  bool any = false;
  for (;;) {
    if (at_ == size_) {
      at_ = 0;
      size_ = stream_.Read(chunk_.data(), chunk_.size());
      if (size_ == 0) {
        is_whole_ = false;
        if (!any) return std::nullopt;
        return line_;
      }
    }
    any = true;
    const std::string_view rest(chunk_.data() + at_, size_ - at_);
    const std::size_t feed = rest.find('\n');
    const std::string_view part = rest.substr(0, feed);
    line_.append(part.substr(0, kLongest - std::min(line_.size(), kLongest)));
    at_ += part.size();
    if (feed == std::string_view::npos) continue;
    ++at_;
    is_whole_ = true;
    return line_;
  }
}

}  // namespace xsp::importers
