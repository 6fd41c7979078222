#ifndef XSP_WORKERS_HARNESS_FACT_H_
#define XSP_WORKERS_HARNESS_FACT_H_

#include <string_view>

#include "capture/wire/xsp.h"

namespace xsp::worker {

inline xsp_string Intern(std::string_view text) { return xsp_intern(text.data(), text.size()); }

/// Records a fact of the run; a later one of the same key counts. Any thread.
inline void RecordFact(std::string_view key, std::string_view value) {
  xsp_attribute(0, Intern(key), value.data(), value.size());
}

}  // namespace xsp::worker

#endif  // XSP_WORKERS_HARNESS_FACT_H_
