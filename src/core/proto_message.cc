#include "core/proto_message.h"

#include <bit>

namespace xsp::core {
namespace {

enum WireType : std::uint64_t { kVarint = 0, kFixed64 = 1, kLengthDelimited = 2 };

constexpr std::uint64_t Tag(std::uint32_t field, WireType type) {
  return (std::uint64_t{field} << 3) | type;
}

}  // namespace

void ProtoMessage::AddVarint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

void ProtoMessage::AddInteger(std::uint32_t field, std::uint64_t value) {
  AddVarint(Tag(field, kVarint));
  AddVarint(value);
}

void ProtoMessage::AddFixed64(std::uint32_t field, std::uint64_t value) {
  AddVarint(Tag(field, kFixed64));
  for (int byte = 0; byte < 8; ++byte) bytes_ += static_cast<char>((value >> (8 * byte)) & 0xff);
}

void ProtoMessage::AddDouble(std::uint32_t field, double value) {
  AddFixed64(field, std::bit_cast<std::uint64_t>(value));
}

void ProtoMessage::AddText(std::uint32_t field, std::string_view text) {
  AddVarint(Tag(field, kLengthDelimited));
  AddVarint(text.size());
  bytes_ += text;
}

}  // namespace xsp::core
