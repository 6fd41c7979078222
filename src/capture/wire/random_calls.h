#ifndef XSP_CAPTURE_WIRE_RANDOM_CALLS_H_
#define XSP_CAPTURE_WIRE_RANDOM_CALLS_H_

#include <random>
#include <string>
#include <vector>

#include "capture/wire/recorder.h"

namespace xsp::wire {

/// For tests: records `count` random calls on this thread; names start with `prefix`.
inline void RecordAtRandom(std::mt19937& random, const std::string& prefix, int count) {
  std::vector<xsp_span> open;
  for (int i = 0; i < count; ++i) {
    const xsp_string name = Intern(prefix + std::to_string(random() % 50));
    switch (random() % 6) {
      case 0:
      case 1:
        open.push_back(xsp_begin(static_cast<xsp_level>(random() % 5), XSP_TEXT("range"), name));
        break;
      case 2:
        if (!open.empty()) {
          xsp_end(open.back());
          open.pop_back();
        }
        break;
      case 3:
        xsp_complete_in(open.empty() ? 0 : open.front(), XSP_LEVEL_LAYER, XSP_TEXT("Conv"), name,
                        1000 + i, 5);
        break;
      case 4:
        if (!open.empty()) xsp_metric(open.back(), name, i, XSP_TEXT("1"), XSP_TEXT("measured:t"));
        break;
      case 5:
        if (!open.empty()) {
          const std::string value(random() % 300, 'v');
          xsp_attribute(open.back(), name, value.data(), value.size());
        }
        break;
    }
  }
  while (open.size() > 1) {  // One stays open.
    xsp_end(open.back());
    open.pop_back();
  }
}

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_RANDOM_CALLS_H_
