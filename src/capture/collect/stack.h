#ifndef XSP_CAPTURE_COLLECT_STACK_H_
#define XSP_CAPTURE_COLLECT_STACK_H_

#include <span>
#include <string>
#include <vector>

#include "capture/collect/collector.h"

namespace xsp::collect {

/// What every one of `collectors` finds now, in their order. Never fails. Takes as long as the
/// slowest (`load`: 0.1 s) and the others.
std::vector<Fact> CaptureStack(std::span<const CollectorSpec* const> collectors);

/// The facts as one JSON object, nested by the dots of their keys; all values are text, as found:
///   {"cpu": {"model": "...", "microcode": null}, "hidden": {"cpu.microcode": "why"}}
/// "hidden" lists every fact without value. Bytes that are no UTF-8 are replaced. A key that is
/// also the beginning of another ("a", "a.b") has its value under "value".
std::string ToJson(const std::vector<Fact>& stack);

}  // namespace xsp::collect

#endif  // XSP_CAPTURE_COLLECT_STACK_H_
