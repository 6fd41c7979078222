#ifndef XSP_CAPTURE_RECORD_RANGE_DOMAIN_H_
#define XSP_CAPTURE_RECORD_RANGE_DOMAIN_H_

#include <atomic>
#include <cstdint>
#include <string_view>

#include "capture/wire/xsp.h"

namespace xsp::record {

/// A name that a program gave to a number; newest first, never freed.
struct RangeCategory {
  std::uint32_t number;
  std::uint32_t length;
  const RangeCategory* next;
  char text[1];  ///< `length` bytes.
};

/// A named group of ranges. Made once, never freed: a program may use a domain that it destroyed.
struct RangeDomain {
  xsp_string name = 0;    ///< 0: the default domain.
  std::string_view text;  ///< The same.
  xsp_level level = XSP_LEVEL_APPLICATION;
  xsp_string type = 0;                  ///< "range", or the family of a library.
  std::atomic<bool> is_ignored{false};  ///< Its ranges would be a second copy of other spans.
  std::atomic<const RangeCategory*> categories{nullptr};
  RangeDomain* next = nullptr;
};

/// The family of a library by the name of the domain that it puts its ranges into: "cudnn" for
/// "cuDNN"; empty where the name is of no library that is known. The names are those in the
/// libraries' own files (docs/ranges.md).
std::string_view LibraryFamily(std::string_view domain);

/// The domain of that name, made on first sight; empty: the default domain. Null without memory.
/// Takes a lock: keep what it returns. Any thread.
RangeDomain* FindRangeDomain(std::string_view name);

/// Names a category of the domain, for ranges from now on. Any thread.
void NameCategory(RangeDomain& domain, std::uint32_t number, std::string_view name);

/// The name of a category; empty where it has none. No lock.
std::string_view CategoryName(const RangeDomain& domain, std::uint32_t number);

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_RANGE_DOMAIN_H_
