#ifndef XSP_ANSWER_TRACE_FORMATS_PERFETTO_PACKET_WRITER_H_
#define XSP_ANSWER_TRACE_FORMATS_PERFETTO_PACKET_WRITER_H_

#include <cstdint>
#include <set>
#include <string_view>

#include "answer/trace_formats/output_file.h"
#include "answer/trace_formats/text_numbers.h"
#include "core/proto_message.h"
#include "core/result.h"

namespace xsp::trace_formats::perfetto {

using core::ProtoMessage;

/// Writes the packets of one sequence. Texts that recur are numbered ("interned"): the packet that
/// first refers to one defines it. Errors: those of OutputFile.
class PacketWriter {
 public:
  explicit PacketWriter(OutputFile& out) : out_(out) {}

  /// The packet that every other one of the sequence needs before it.
  Status Begin();

  /// Numbers of texts, to be used in the next packet. Any bytes.
  std::uint64_t Category(std::string_view text);
  std::uint64_t EventName(std::string_view text);
  std::uint64_t AnnotationName(std::string_view text);
  /// Of a queue of a GPU; queues and stages have their numbers in common.
  std::uint64_t Queue(std::string_view label);
  /// Of what runs on a GPU, by its name.
  std::uint64_t Stage(std::string_view name, bool is_compute);
  /// Makes the context `pid` of a GPU known, which is the process of that number.
  void DefineContext(std::int32_t pid);

  /// Packets with a time, of the data field `field`.
  Status WriteEvent(std::int64_t time_ns, std::uint32_t field, const ProtoMessage& event);
  Status WriteTrack(const ProtoMessage& descriptor);

 private:
  std::uint64_t Intern(TextNumbers& texts, std::uint32_t field, std::string_view text);
  std::uint64_t DefineSpecification(std::string_view key, std::string_view name,
                                    std::uint64_t category);
  Status WritePacket(const ProtoMessage& packet);

  OutputFile& out_;
  TextNumbers categories_, names_, annotations_, specifications_;
  std::set<std::int32_t> contexts_;
  ProtoMessage new_data_;  // What the next packet defines.
};

}  // namespace xsp::trace_formats::perfetto

#endif  // XSP_ANSWER_TRACE_FORMATS_PERFETTO_PACKET_WRITER_H_
