#ifndef XSP_CAPTURE_WIRE_FORMAT_H_
#define XSP_CAPTURE_WIRE_FORMAT_H_

#include <bit>
#include <cstddef>
#include <cstdint>

namespace xsp::wire {

static_assert(std::endian::native == std::endian::little,
              "XSP cannot be built for a big-endian processor: its recordings are little-endian");

// The layout of a recording file, shared by writer and reader. Little-endian. Described for people
// in docs/recording.md.
//
//   FileHeader, padded to kHeaderBytes | block 0 | block 1 | ...
//
// A block is a row of records; a record is a whole number of 32-byte units, and its first word is
// stored last, with release order: a zero word is where the block's data ends.

inline constexpr char kMagic[8] = {'X', 'S', 'P', 'R', '\r', '\n', '\x1a', '\n'};
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::uint32_t kHeaderBytes = 4096;
inline constexpr std::uint32_t kUnitBytes = 32;
inline constexpr std::uint32_t kDefaultBlockBytes = 64 << 10;
inline constexpr std::uint32_t kMinBlockBytes = 8 << 10;
inline constexpr std::uint32_t kMaxBlockBytes = 1 << 20;
inline constexpr std::uint64_t kBlockMagic = 0x314b'4c42'5053'58ffu;
inline constexpr std::uint32_t kMaxStringBytes = 4000;

/// What the ticks of a recording count.
enum class ClockKind : std::uint32_t { kMonotonicNs = 0, kTsc = 1, kArmCounter = 2 };

/// The same moment on the three clocks.
struct ClockPair {
  std::uint64_t ticks;
  std::int64_t monotonic_ns;
  std::int64_t realtime_ns;
};

enum class FileState : std::uint64_t { kOpen = 0, kClosed = 1 };

struct FileHeader {
  char magic[8];  ///< Stored last when the file is made.
  std::uint32_t version;
  std::uint32_t header_bytes;
  std::uint32_t block_bytes;
  std::uint32_t clock_kind;
  std::uint64_t capacity_bytes;
  std::uint32_t process_id;
  std::uint32_t parent_process_id;
  std::uint64_t process_start;  ///< Clock ticks since boot (/proc/self/stat, field 22); 0: unknown.
  ClockPair opened[2];          ///< At the start and at the end of opening.
  ClockPair closed;             ///< Zero until closed.
  std::uint64_t state;          ///< FileState.
  std::uint64_t used_blocks;    ///< Set when closed.
  char boot_id[40];             ///< Files with the same one share CLOCK_MONOTONIC.
  char program[128];            ///< Path of the executable, its end where it is longer.
  alignas(64) std::uint64_t next_block;  ///< Blocks handed out; may run past the capacity.
  alignas(64) std::uint64_t dropped;     ///< Records that found no space.
};
static_assert(sizeof(FileHeader) <= kHeaderBytes);
static_assert(offsetof(FileHeader, next_block) == 320 && offsetof(FileHeader, dropped) == 384);

enum class RecordKind : std::uint8_t {
  kEnd = 0,          ///< Nothing was published here.
  kBlock = 1,        ///< First of a block. text: number of the block; words[0]: kBlockMagic.
  kThread = 2,       ///< From here on records are of this thread. text: index of the thread;
                     ///< words[0]: thread id | sequence << 32; words[1-2]: name.
  kString = 3,       ///< text: id; words[0]: length; then the text.
  kClock = 4,        ///< words: a ClockPair.
  kSpan = 5,         ///< flags: level; text: type; words[0]: name | parent << 32; words[1-2]: start
                     ///< and end in ticks, end 0 while it is open.
  kTimedSpan = 6,    ///< As kSpan, in CLOCK_MONOTONIC ns.
  kMetric = 7,       ///< text: name; words[0]: span | unit << 32; words[1]: provenance;
                     ///< words[2]: value.
  kAttribute = 8,    ///< text: key; words[0]: span (0: a fact) | length << 32; then the value.
  kMark = 9,         ///< text: name; words[0]: ticks.
  kCounter = 10,     ///< text: name; words[0]: ticks; words[1]: unit; words[2]: value.
  kTrack = 11,       ///< flags: xsp_track_kind; text: name; words[0]: thread or device; words[1]:
                     ///< stream. Its number is its place, as a span's is.
  kPlacedSpan = 12,  ///< Two units. As kTimedSpan; then a Placement.
  kPlacedCounter = 13,  ///< text: name; words[0]: track | unit << 32; words[1]: time in
                        ///< CLOCK_MONOTONIC ns; words[2]: value.
  kCaptured = 14,       ///< words[0]: span; words[1]: the graph node captured while it was open.
  kFrame = 20,   ///< text: function; words[0]: module | caller's frame << 32. Its number is its
                 ///< place, as a span's is.
  kSample = 21,  ///< flags: xsp_stack_kind; words[0]: ticks; words[1]: thread id | frame << 32.
};

/// The second unit of a kPlacedSpan.
struct Placement {
  std::uint64_t track_details;   ///< track | text of details << 32.
  std::uint64_t correlation_id;  ///< 0: none.
  std::uint64_t graph_node;      ///< 0: none.
  std::uint64_t bytes;           ///< kNoBytes: none.
};
static_assert(sizeof(Placement) == kUnitBytes);
inline constexpr std::uint32_t kPlacedSpanUnits = 2;
inline constexpr std::uint64_t kNoBytes = ~std::uint64_t{0};

/// The first unit of a record. A span's id in the file is its offset / kUnitBytes.
struct Record {
  std::uint64_t head;  ///< kind | flags << 8 | units << 16 | text << 32.
  std::uint64_t words[3];
};
static_assert(sizeof(Record) == kUnitBytes);

inline constexpr std::uint8_t kFlagCut = 1;       ///< kAttribute, kString: the text was cut.
inline constexpr std::uint32_t kTextOffset = 16;  ///< Where the text of a record starts.

constexpr std::uint64_t MakeHead(RecordKind kind, std::uint32_t text, std::uint8_t flags = 0,
                                 std::uint16_t units = 1) {
  return static_cast<std::uint64_t>(kind) | std::uint64_t{flags} << 8 | std::uint64_t{units} << 16 |
         std::uint64_t{text} << 32;
}
constexpr std::uint64_t Pack(std::uint32_t low, std::uint32_t high) {
  return low | std::uint64_t{high} << 32;
}
constexpr RecordKind KindOf(std::uint64_t head) { return static_cast<RecordKind>(head & 0xff); }
constexpr std::uint8_t FlagsOf(std::uint64_t head) { return (head >> 8) & 0xff; }
constexpr std::uint32_t UnitsOf(std::uint64_t head) { return (head >> 16) & 0xffff; }
constexpr std::uint32_t LowOf(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
constexpr std::uint32_t HighOf(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> 32);
}

/// Units of a record that carries `length` bytes of text.
constexpr std::uint32_t TextUnits(std::uint32_t length) {
  return (kTextOffset + length + kUnitBytes - 1) / kUnitBytes;
}

}  // namespace xsp::wire

#endif  // XSP_CAPTURE_WIRE_FORMAT_H_
