#include "capture/record/cuda/activity/capture_file.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string_view>

namespace xsp::record::cuda {
namespace {

constexpr std::size_t kAlign = 8;
constexpr std::size_t kHeaderBytes = sizeof kCaptureMagic + 8;
constexpr std::size_t kBlockHeadBytes = 16;

template <typename Number>
void Append(std::string& text, Number number) {
  text.append(reinterpret_cast<const char*>(&number), sizeof number);
}

template <typename Number>
Number NumberAt(std::string_view data, std::size_t at) {
  Number number;
  std::memcpy(&number, data.data() + at, sizeof number);
  return number;
}

std::size_t Padded(std::size_t bytes) { return (bytes + kAlign - 1) / kAlign * kAlign; }

std::uint32_t KindAt(const std::uint8_t* record) {
  std::uint32_t kind;
  std::memcpy(&kind, record, sizeof kind);
  return kind;
}

}  // namespace

std::size_t NamePointerOffset(std::uint32_t kind) {
  switch (kind) {
    case CUPTI_ACTIVITY_KIND_KERNEL:
    case CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL:
      return offsetof(CUpti_ActivityKernel9, name);
    case CUPTI_ACTIVITY_KIND_DEVICE:
      return offsetof(CUpti_ActivityDevice4, name);
    default:
      return std::string::npos;
  }
}

CaptureFileWriter::CaptureFileWriter(const char* path, std::uint32_t cupti_version) {
  if (path == nullptr || *path == '\0') return;
  // Several processes of a program inherit one name: the first has it, the others add their number.
  file_ = std::fopen(path, "wbxe");
  if (file_ == nullptr && errno == EEXIST)
    file_ = std::fopen((std::string(path) + "." + std::to_string(getpid())).c_str(), "wbe");
  if (file_ == nullptr) return;
  std::string header(kCaptureMagic, sizeof kCaptureMagic);
  Append(header, kCaptureFormat);
  Append(header, cupti_version);
  std::fwrite(header.data(), 1, header.size(), file_);
  std::fflush(file_);  // A forked child that exits would write it a second time.
}

CaptureFileWriter::~CaptureFileWriter() {
  if (file_ != nullptr) std::fclose(file_);
}

void CaptureFileWriter::Block(CaptureBlock kind, const std::string& head, const void* rest,
                              std::size_t bytes) {
  if (file_ == nullptr) return;
  std::string start;
  Append(start, static_cast<std::uint32_t>(kind));
  Append(start, std::uint32_t{0});
  Append(start, static_cast<std::uint64_t>(head.size() + bytes));
  start += head;
  std::fwrite(start.data(), 1, start.size(), file_);
  if (bytes > 0) std::fwrite(rest, 1, bytes, file_);
  static constexpr char kZeros[kAlign] = {};
  std::fwrite(kZeros, 1, Padded(head.size() + bytes) - head.size() - bytes, file_);
  std::fflush(file_);  // It is for finding out what went wrong: a crash must not take it along.
}

void CaptureFileWriter::Text(std::uint64_t pointer, const char* text) {
  std::string& known = texts_[pointer];
  if (!known.empty() && known == text) return;
  known = text;
  std::string head;
  Append(head, pointer);
  Block(CaptureBlock::kText, head, text, std::strlen(text));
}

void CaptureFileWriter::Buffer(const std::uint8_t* data, std::size_t bytes,
                               const std::vector<std::uint32_t>& offsets) {
  if (file_ == nullptr) return;
  for (const std::uint32_t offset : offsets) {
    const std::size_t at = NamePointerOffset(KindAt(data + offset));
    if (at == std::string::npos || offset + at + sizeof(char*) > bytes) continue;
    const char* text = nullptr;
    std::memcpy(&text, data + offset + at, sizeof text);
    if (text != nullptr) Text(reinterpret_cast<std::uintptr_t>(text), text);
  }
  std::string head;
  Append(head, static_cast<std::uint64_t>(offsets.size()));
  for (const std::uint32_t offset : offsets) Append(head, offset);
  head.resize(Padded(head.size()), '\0');
  Block(CaptureBlock::kBuffer, head, data, bytes);
}

void CaptureFileWriter::Callback(CUpti_CallbackDomain domain, CUpti_CallbackId id,
                                 const std::string& name) {
  std::string head;
  Append(head, static_cast<std::uint32_t>(domain));
  Append(head, static_cast<std::uint32_t>(id));
  Block(CaptureBlock::kCallback, head, name.data(), name.size());
}

void CaptureFileWriter::Clock(std::int64_t offset_ns) {
  std::string head;
  Append(head, offset_ns);
  Block(CaptureBlock::kClock, head, nullptr, 0);
}

namespace {

/// Decodes the blocks of one file.
class Replay {
 public:
  explicit Replay(std::string_view data)
      : data_(data), decoder_([this](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
          const auto it = names_.find({domain, id});
          return it == names_.end() ? std::string() : it->second;
        }) {
    // Names of calls stand behind the buffers that first used them: all are read before any.
    ForEachBlock([this](CaptureBlock kind, std::string_view content) {
      if (kind == CaptureBlock::kCallback && content.size() >= 8) {
        names_[{NumberAt<std::uint32_t>(content, 0), NumberAt<std::uint32_t>(content, 4)}] =
            content.substr(8);
      }
      return true;
    });
  }

  std::string Run() {
    std::string problem = ForEachBlock([this](CaptureBlock kind, std::string_view content) {
      if (kind == CaptureBlock::kBuffer) return Buffer(content);
      if (kind == CaptureBlock::kText && content.size() >= 8)
        texts_[NumberAt<std::uint64_t>(content, 0)] = content.substr(8);
      if (kind == CaptureBlock::kClock && content.size() >= 8)
        decoder_.SetClockOffset(NumberAt<std::int64_t>(content, 0));
      return true;
    });
    decoder_.Settle(true);
    return problem;
  }

  const DecoderCounts& counts() const { return decoder_.counts(); }

 private:
  template <typename Visit>
  std::string ForEachBlock(Visit visit) {
    std::size_t at = kHeaderBytes;
    while (at + kBlockHeadBytes <= data_.size()) {
      const auto kind = static_cast<CaptureBlock>(NumberAt<std::uint32_t>(data_, at));
      const auto bytes = NumberAt<std::uint64_t>(data_, at + 8);
      const std::size_t room = data_.size() - at - kBlockHeadBytes;
      if (bytes > room) return "kept CUPTI data ends within a block: at " + std::to_string(at);
      if (!visit(kind, data_.substr(at + kBlockHeadBytes, bytes)))
        return "kept CUPTI data is damaged: block at " + std::to_string(at);
      at += kBlockHeadBytes + std::min(Padded(bytes), room);
    }
    return at == data_.size() ? ""
                              : "kept CUPTI data ends within a block: at " + std::to_string(at);
  }

  bool Buffer(std::string_view content) {
    if (content.size() < 8) return false;
    const auto count = NumberAt<std::uint64_t>(content, 0);
    if (count > (content.size() - 8) / 4) return false;
    const std::size_t begin = Padded(8 + 4 * count);
    if (begin > content.size()) return false;
    std::vector<std::uint8_t> data(content.begin() + static_cast<std::ptrdiff_t>(begin),
                                   content.end());
    std::vector<std::uint32_t> offsets(count);
    for (std::size_t i = 0; i < count; ++i) {
      offsets[i] = NumberAt<std::uint32_t>(content, 8 + 4 * i);
      if (offsets[i] >= data.size() || (i > 0 && offsets[i] <= offsets[i - 1])) return false;
    }
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t end = i + 1 < count ? offsets[i + 1] : data.size();
      if (end - offsets[i] < sizeof(CUpti_ActivityKind)) return false;
      PointToText(data.data() + offsets[i], end - offsets[i]);
      decoder_.Decode(data.data() + offsets[i], end - offsets[i]);
    }
    return true;
  }

  /// A pointer of the recorded process means nothing here: it becomes one to the kept text.
  void PointToText(std::uint8_t* record, std::size_t bytes) {
    const std::size_t at = NamePointerOffset(KindAt(record));
    if (at == std::string::npos || at + sizeof(char*) > bytes) return;
    std::uint64_t pointer = 0;
    std::memcpy(&pointer, record + at, sizeof pointer);
    const auto it = texts_.find(pointer);
    const char* text = it == texts_.end() ? nullptr : it->second.c_str();
    std::memcpy(record + at, &text, sizeof text);
  }

  std::string_view data_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::string> names_;
  std::unordered_map<std::uint64_t, std::string> texts_;
  ActivityDecoder decoder_;
};

}  // namespace

std::string ReplayCaptureFile(const std::string& path, DecoderCounts* counts) {
  std::ifstream file(path, std::ios::binary);
  const std::string data{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (data.size() < kHeaderBytes ||
      std::memcmp(data.data(), kCaptureMagic, sizeof kCaptureMagic) != 0)
    return "no kept CUPTI data: " + path;
  const auto format = NumberAt<std::uint32_t>(data, sizeof kCaptureMagic);
  if (format != kCaptureFormat)
    return "kept CUPTI data of another format: " + std::to_string(format);
  Replay replay(data);
  std::string problem = replay.Run();
  if (counts != nullptr) *counts = replay.counts();
  return problem;
}

}  // namespace xsp::record::cuda
