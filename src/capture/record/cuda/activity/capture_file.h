#ifndef XSP_CAPTURE_RECORD_CUDA_ACTIVITY_CAPTURE_FILE_H_
#define XSP_CAPTURE_RECORD_CUDA_ACTIVITY_CAPTURE_FILE_H_

#include <cupti.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/record/cuda/activity/activity_decoder.h"

namespace xsp::record::cuda {

// What CUPTI said, byte for byte, so that it can be decoded again where no GPU is (*.cuptirec,
// docs/cuda.md). Little-endian:
//
//   "XSPCUPTI" | u32 format 1 | u32 CUPTI's version | blocks
//   block: u32 kind | u32 0 | u64 bytes of content | content, padded to 8 bytes
//
// A text stands before the first buffer whose records point to it; the pointers in the buffers are
// left as they were.

inline constexpr char kCaptureMagic[8] = {'X', 'S', 'P', 'C', 'U', 'P', 'T', 'I'};
inline constexpr std::uint32_t kCaptureFormat = 1;

enum class CaptureBlock : std::uint32_t {
  kBuffer = 1,    ///< u64 records; u32 offset of each, padded to 8; then the buffer.
  kText = 2,      ///< u64 pointer; then the text that it pointed to.
  kCallback = 3,  ///< u32 domain; u32 number; then its name (cuptiGetCallbackName).
  kClock = 4,     ///< i64 ns to add to CUPTI's times from here on.
};

/// Writes such a file as it comes. One thread. What cannot be written is missing at the end.
class CaptureFileWriter {
 public:
  /// Null path: nothing is kept. A file that is there already stays: this one is PATH.<pid> then.
  CaptureFileWriter(const char* path, std::uint32_t cupti_version);
  ~CaptureFileWriter();
  CaptureFileWriter(const CaptureFileWriter&) = delete;
  CaptureFileWriter& operator=(const CaptureFileWriter&) = delete;

  bool is_open() const { return file_ != nullptr; }
  void Buffer(const std::uint8_t* data, std::size_t bytes,
              const std::vector<std::uint32_t>& offsets);
  void Callback(CUpti_CallbackDomain domain, CUpti_CallbackId id, const std::string& name);
  void Clock(std::int64_t offset_ns);

 private:
  void Text(std::uint64_t pointer, const char* text);
  void Block(CaptureBlock kind, const std::string& head, const void* rest, std::size_t bytes);

  std::FILE* file_ = nullptr;
  std::unordered_map<std::uint64_t, std::string> texts_;
};

/// Decodes such a file into the recording that is open. Damage ends it: what was whole before it
/// has been decoded. Returns an empty text, or what is wrong, values last.
std::string ReplayCaptureFile(const std::string& path, DecoderCounts* counts);

/// Where a record of a kind keeps its pointer to a name; npos: it has none.
std::size_t NamePointerOffset(std::uint32_t kind);

}  // namespace xsp::record::cuda

#endif  // XSP_CAPTURE_RECORD_CUDA_ACTIVITY_CAPTURE_FILE_H_
