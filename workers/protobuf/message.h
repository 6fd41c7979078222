#ifndef XSP_WORKERS_PROTOBUF_MESSAGE_H_
#define XSP_WORKERS_PROTOBUF_MESSAGE_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::protobuf {

/// One field of a serialised protocol buffer message, as
/// https://protobuf.dev/programming-guides/encoding has it.
struct Field {
  std::uint32_t number = 0;
  std::uint64_t value = 0;  ///< A number: varint, or the bits of a fixed one.
  std::string_view bytes;   ///< Text, bytes or a message; points into the whole message.
  bool is_bytes = false;

  std::int64_t integer() const { return static_cast<std::int64_t>(value); }
};

/// Reads the fields of one message in order, without a schema: of the few fields of TensorFlow's
/// and ONNX's messages that workers need, the numbers are fixed for all versions.
class MessageReader {
 public:
  /// `message` must live as long as the fields are used.
  explicit MessageReader(std::string_view message) : rest_(message) {}

  /// The next field; false at the end and at the first damage.
  bool Next(Field& field);

  /// Whether reading stopped before the end.
  bool damaged() const { return damaged_; }

 private:
  bool Varint(std::uint64_t& value);
  bool Take(std::uint64_t size, std::string_view& bytes);
  bool Stop();

  std::string_view rest_;
  bool damaged_ = false;
};

/// Appends the numbers of a packed field, which may also come one by one. False: damaged.
bool ReadPacked(std::string_view bytes, std::vector<std::int64_t>& values);

/// Builds one message.
class MessageWriter {
 public:
  MessageWriter& Integer(std::uint32_t number, std::int64_t value);
  MessageWriter& Bytes(std::uint32_t number, std::string_view bytes);
  const std::string& text() const { return text_; }

 private:
  void Varint(std::uint64_t value);

  std::string text_;
};

}  // namespace xsp::protobuf

#endif  // XSP_WORKERS_PROTOBUF_MESSAGE_H_
