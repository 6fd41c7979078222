#ifndef XSP_CAPTURE_RECORD_SWITCH_PAGE_H_
#define XSP_CAPTURE_RECORD_SWITCH_PAGE_H_

#include <cstdint>

namespace xsp::record {

/// File that says whether the processes of a program record: mapped by each of them and by
/// `xsp record`, which alone writes it.
inline constexpr char kSwitchVariable[] = "XSP_RECORD_SWITCH";

/// What lies at the start of that file.
struct SwitchPage {
  std::uint32_t changes;  ///< Goes up with each change; a futex that the processes wait at.
  std::uint32_t is_on;    ///< 1: record from now on; 0: do not.
};

inline constexpr std::uint32_t kSwitchPageBytes = 4096;

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_SWITCH_PAGE_H_
