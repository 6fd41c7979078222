#ifndef XSP_CAPTURE_SAMPLING_ADDRESS_SPACE_H_
#define XSP_CAPTURE_SAMPLING_ADDRESS_SPACE_H_

#include <cstdint>
#include <map>
#include <vector>

#include "capture/sampling/event_record.h"

namespace xsp::sampling {

/// Where a process has executable memory, and of which files. Mappings do not overlap: a new one
/// takes the place of what was there.
class AddressSpace {
 public:
  /// Whether something had to give way.
  bool Add(const Mapping& mapping);
  /// Null: none is there.
  const Mapping* Find(std::uint64_t address) const;
  const std::map<std::uint64_t, Mapping>& mappings() const { return mappings_; }

 private:
  std::map<std::uint64_t, Mapping> mappings_;  ///< By start.
};

/// What a running process has mapped executable, from /proc/PID/maps; empty where it has ended.
std::vector<Mapping> ReadMappings(int pid);

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_ADDRESS_SPACE_H_
