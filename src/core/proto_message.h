#ifndef XSP_CORE_PROTO_MESSAGE_H_
#define XSP_CORE_PROTO_MESSAGE_H_

#include <cstdint>
#include <string>
#include <string_view>

namespace xsp::core {

/// A message of Protocol Buffers as bytes, field by field
/// (https://protobuf.dev/programming-guides/encoding/). `field`: its number, 1 to 536,870,911.
class ProtoMessage {
 public:
  /// Of types uint32, uint64, bool and enum, and of int32 and int64 that are not negative.
  void AddInteger(std::uint32_t field, std::uint64_t value);
  void AddFixed64(std::uint32_t field, std::uint64_t value);
  void AddDouble(std::uint32_t field, double value);
  /// A string must be UTF-8.
  void AddText(std::uint32_t field, std::string_view text);
  void AddMessage(std::uint32_t field, const ProtoMessage& message) {
    AddText(field, message.bytes_);
  }

  const std::string& bytes() const { return bytes_; }
  bool empty() const { return bytes_.empty(); }

 private:
  void AddVarint(std::uint64_t value);

  std::string bytes_;
};

}  // namespace xsp::core

#endif  // XSP_CORE_PROTO_MESSAGE_H_
