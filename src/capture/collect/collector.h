#ifndef XSP_CAPTURE_COLLECT_COLLECTOR_H_
#define XSP_CAPTURE_COLLECT_COLLECTOR_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::collect {

/// One fact of the stack: key "cpu.model", value "Intel(R) Xeon(R) Processor".
/// `value` is empty when the machine hides it; `why` then says so ("no cpufreq in this VM").
struct Fact {
  std::string key;
  std::string value;
  std::string why;
};

/// A part of the stack that can be read beside a measured process. Static data.
struct CollectorSpec {
  std::string_view name;     ///< Stable id, snake_case; also the folder name and the key prefix.
  std::string_view summary;  ///< One line for `xsp system --help`, no full stop.

  /// Reads the facts now. Never fails: what cannot be read is a fact without value.
  std::vector<Fact> (*collect)();

  /// Facts that change by themselves from one moment to the next, without the prefix, separated by
  /// blanks; `*` stands for any characters: "available_bytes *.current_mhz". A difference between
  /// two captures leaves them out.
  std::string_view momentary = {};
};

/// Every collector of this build, by folder name. Generated (cmake/XspModule.cmake).
std::span<const CollectorSpec* const> AllCollectors();

}  // namespace xsp::collect

namespace xsp {
using collect::CollectorSpec;
}  // namespace xsp

#endif  // XSP_CAPTURE_COLLECT_COLLECTOR_H_
