#include "protobuf/message.h"

#include <cstring>

namespace xsp::protobuf {
namespace {

enum WireType { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };

}  // namespace

bool MessageReader::Stop() {
  damaged_ = true;
  rest_ = {};
  return false;
}

bool MessageReader::Varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return true;
  }
  return Stop();
}

bool MessageReader::Take(std::uint64_t size, std::string_view& bytes) {
  if (size > rest_.size()) return Stop();
  bytes = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool MessageReader::Next(Field& field) {
  if (rest_.empty()) return false;
  std::uint64_t tag = 0;
  if (!Varint(tag)) return false;
  field = {};
  field.number = static_cast<std::uint32_t>(tag >> 3);
  if (field.number == 0) return Stop();
  std::string_view bytes;
  switch (tag & 7) {
    case kVarint:
      return Varint(field.value);
    case kFixed64:
    case kFixed32: {
      if (!Take((tag & 7) == kFixed64 ? 8 : 4, bytes)) return false;
      std::memcpy(&field.value, bytes.data(), bytes.size());
      return true;
    }
    case kBytes: {
      std::uint64_t size = 0;
      field.is_bytes = true;
      return Varint(size) && Take(size, field.bytes);
    }
    default:
      return Stop();
  }
}

bool ReadPacked(std::string_view bytes, std::vector<std::int64_t>& values) {
  while (!bytes.empty()) {
    std::uint64_t value = 0;
    unsigned shift = 0;
    bool more = true;
    for (; more && shift < 64 && !bytes.empty(); shift += 7) {
      const auto byte = static_cast<unsigned char>(bytes.front());
      bytes.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      more = (byte & 0x80) != 0;
    }
    if (more) return false;
    values.push_back(static_cast<std::int64_t>(value));
  }
  return true;
}

void MessageWriter::Varint(std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7f) | 0x80);
  text_ += static_cast<char>(value);
}

MessageWriter& MessageWriter::Integer(std::uint32_t number, std::int64_t value) {
  Varint(std::uint64_t{number} << 3 | kVarint);
  Varint(static_cast<std::uint64_t>(value));
  return *this;
}

MessageWriter& MessageWriter::Bytes(std::uint32_t number, std::string_view bytes) {
  Varint(std::uint64_t{number} << 3 | kBytes);
  Varint(bytes.size());
  text_ += bytes;
  return *this;
}

}  // namespace xsp::protobuf
