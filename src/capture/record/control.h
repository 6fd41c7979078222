#ifndef XSP_CAPTURE_RECORD_CONTROL_H_
#define XSP_CAPTURE_RECORD_CONTROL_H_

#include <string_view>

#include "capture/wire/xsp.h"

namespace xsp::record {

// Recording confined to a range that the program names: XSP_RECORD_RANGE=NAME[@DOMAIN]. The
// recording starts held (process.h); each library that sees the program's ranges lets go while one
// of that name is open. How many are open is counted in libxsp.so, for all libraries and threads
// together: recording goes on from the first that opens to the last that ends.

/// What was asked for. Trivial, so that it is there before anything runs.
struct AskedRange {
  bool is_asked = false;
  bool any_domain = true;
  xsp_string name = 0;
  xsp_string domain = 0;  ///< 0: the default domain, which has no name.
};

/// Takes NAME, NAME@DOMAIN (what follows the last @), or NAME@ for the default domain alone.
AskedRange ParseAskedRange(std::string_view text);

inline bool IsAsked(const AskedRange& asked, xsp_string name, xsp_string domain) {
  return asked.is_asked && name == asked.name && (asked.any_domain || domain == asked.domain);
}

/// Call before the range's own span is begun, so that it is recorded too. Any thread.
inline void EnterAskedRange() { xsp_hold(XSP_HOLD_RANGE, -1); }

/// Call after its span has ended. Any thread.
inline void LeaveAskedRange() { xsp_hold(XSP_HOLD_RANGE, 1); }

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_CONTROL_H_
