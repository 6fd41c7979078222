#ifndef XSP_CAPTURE_COLLECT_STACK_DIFFERENCE_H_
#define XSP_CAPTURE_COLLECT_STACK_DIFFERENCE_H_

#include <cstdint>
#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "capture/collect/collector.h"

namespace xsp::collect {

/// What ToJson() (capture/collect/stack.h) wrote, as facts again, by key. `stack` need not be of
/// this version: what is no fact is passed by; a value that is no text is taken as JSON writes it.
std::vector<Fact> FromJson(const nlohmann::json& stack);

/// Whether a fact changes by itself from one moment to the next: its collector says so.
bool IsMomentary(std::string_view key, std::span<const CollectorSpec* const> collectors);

/// A fact that is not the same in two captures: at least one has a value for it.
struct FactDifference {
  Fact a, b;  ///< Of the same key. Without value and reason: the capture has no such fact.
};

/// What two captures differ in.
struct StackDifference {
  std::vector<FactDifference> differing;  ///< By key.
  std::int64_t same = 0;                  ///< Facts of both with the same value.
  std::int64_t left_out = 0;              ///< Differing facts for which `leave_out` was true.
  /// Parts of the stack of which one capture has no fact at all: "gpu", as of an older XSP's, or
  /// "backend.torch", which the other did not run. They are not compared: which of their facts
  /// differ is unknown.
  std::vector<std::string> only_in_a, only_in_b;
};

/// A fact that one capture hides and the other does not have differs in nothing. Without
/// `leave_out` nothing is left out. Where a key comes twice, the first counts.
StackDifference Compare(const std::vector<Fact>& a, const std::vector<Fact>& b,
                        const std::function<bool(std::string_view key)>& leave_out = {});

}  // namespace xsp::collect

#endif  // XSP_CAPTURE_COLLECT_STACK_DIFFERENCE_H_
