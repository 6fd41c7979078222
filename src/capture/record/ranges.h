#ifndef XSP_CAPTURE_RECORD_RANGES_H_
#define XSP_CAPTURE_RECORD_RANGES_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "capture/record/range_domain.h"
#include "capture/wire/xsp.h"

namespace xsp::record {

// Ranges that a program marks itself (NVTX, ITT) as spans: what both injected libraries share. Each
// library has a copy of this; only what libxsp.so holds is common to them.
//
// Threads: every function from any thread. No lock and no allocation in PushRange, PopRange and
// TextId, but for a thread's first range, a stack deeper than any before, and a text's first sight.

/// What a range may carry beside its name.
struct RangeDetails {
  enum class Payload : std::uint8_t { kNone, kDouble, kSigned, kUnsigned };

  std::uint32_t category = 0;  ///< 0: none.
  bool has_color = false;
  std::uint32_t argb = 0;
  Payload payload = Payload::kNone;
  union {
    double number;
    std::int64_t signed_number;
    std::uint64_t unsigned_number;
  };

  RangeDetails() : number(0) {}
};

/// Once, before any other call. `source`: what tells of the ranges ("nvtx"); it must stay.
void StartRanges(std::string_view source);

/// The domain without a name.
RangeDomain& DefaultDomain();

/// The id of a text; the same pointer with the same text costs a comparison. Null is empty.
xsp_string TextId(const char* text);
/// The same for wide characters (UTF-32), kept as UTF-8.
xsp_string TextId(const wchar_t* text);

/// Bytes of the longest name, as xsp_intern() takes it.
inline constexpr std::size_t kLongestName = 4000;

/// Puts `text` into `buffer` as UTF-8, cut where it does not fit.
std::string_view ToUtf8(const wchar_t* text, char* buffer, std::size_t size);

/// Begins a range on this thread. Returns how many of the domain were open on it before, -1 where
/// there is no memory. `key`: what FindOpenRange may look for; 0: nothing.
int PushRange(RangeDomain& domain, xsp_string name, const RangeDetails* details = nullptr,
              std::uint64_t key = 0);

/// Ends the innermost range of the domain on this thread. Returns how many are left, or -1,
/// counted, where none was open.
int PopRange(RangeDomain& domain);

/// The span of the innermost open range of the domain on this thread, of those with `key` unless it
/// is 0. 0: none, or it is not recorded.
xsp_span FindOpenRange(const RangeDomain& domain, std::uint64_t key);

/// Starts a range that any thread may end and that may overlap others. Returns its id; 0, counted,
/// where too many (4096) are open.
std::uint64_t StartRange(RangeDomain& domain, xsp_string name, xsp_string type,
                         const RangeDetails& details = RangeDetails());

/// Ends it: only now is it recorded, without a parent. An id that is not open is counted; 0 is
/// ignored.
void EndRange(std::uint64_t id);

/// Records such a range that is over. Returns its span, 0 where its level is off.
xsp_span CompleteRange(const RangeDomain& domain, xsp_string name, xsp_string type,
                       std::uint64_t start_ns, std::uint64_t end_ns, const RangeDetails& details);

/// Keeps the name of a thread of this process as the fact "thread.ID.name", by which the importer
/// names its track.
void NameThread(std::uint32_t thread_id, std::string_view name);

/// This thread, as the system numbers it.
std::uint32_t ThisThread();

}  // namespace xsp::record

#endif  // XSP_CAPTURE_RECORD_RANGES_H_
