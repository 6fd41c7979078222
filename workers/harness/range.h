#ifndef XSP_WORKERS_HARNESS_RANGE_H_
#define XSP_WORKERS_HARNESS_RANGE_H_

#include <string_view>

#include "capture/wire/xsp.h"

namespace xsp::worker {

/// An application-level span of type `range`, as long as this lives. Its name is interned here: for
/// what happens a few times a call, not for hot paths.
class Range {
 public:
  explicit Range(std::string_view name)
      : span_(xsp_begin(XSP_LEVEL_APPLICATION, xsp_intern("range", 5),
                        xsp_intern(name.data(), name.size()))) {}
  ~Range() { xsp_end(span_); }
  Range(const Range&) = delete;
  Range& operator=(const Range&) = delete;

  xsp_span span() const { return span_; }

 private:
  xsp_span span_;
};

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_RANGE_H_
