#ifndef XSP_CORE_HANG_LIMIT_TESTING_H_
#define XSP_CORE_HANG_LIMIT_TESTING_H_

#include <chrono>

namespace xsp::core {

/// How long tests wait for what should come at once before they call it hung: what takes a second
/// alone takes minutes on a busy machine.
inline constexpr std::chrono::seconds kHangLimit{900};

}  // namespace xsp::core

#endif  // XSP_CORE_HANG_LIMIT_TESTING_H_
