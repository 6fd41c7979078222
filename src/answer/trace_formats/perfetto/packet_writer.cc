#include "answer/trace_formats/perfetto/packet_writer.h"

#include <string>
#include <utility>

#include "answer/trace_formats/perfetto/perfetto_fields.h"
#include "core/utf8.h"

namespace xsp::trace_formats::perfetto {
namespace {

constexpr std::uint64_t kSequence = 1;

/// Whether the number that `texts` gives `text` is a new one.
bool IsNew(TextNumbers& texts, std::string_view text, std::uint64_t& iid) {
  const std::size_t before = texts.texts().size();
  iid = std::uint64_t{texts.NumberOf(text)} + 1;  // 0 means none.
  return texts.texts().size() > before;
}

}  // namespace

Status PacketWriter::Begin() {
  ProtoMessage packet;
  packet.AddInteger(packet::kTrustedPacketSequenceId, kSequence);
  packet.AddInteger(packet::kSequenceFlags, packet::kIncrementalStateCleared);
  return WritePacket(packet);
}

std::uint64_t PacketWriter::Intern(TextNumbers& texts, std::uint32_t field, std::string_view text) {
  std::uint64_t iid = 0;
  if (!IsNew(texts, text, iid)) return iid;
  ProtoMessage entry;
  entry.AddInteger(interned_data::kIid, iid);
  entry.AddText(interned_data::kName, core::ToCleanUtf8(text));
  new_data_.AddMessage(field, entry);
  return iid;
}

std::uint64_t PacketWriter::Category(std::string_view text) {
  return Intern(categories_, interned_data::kEventCategories, text);
}

std::uint64_t PacketWriter::EventName(std::string_view text) {
  return Intern(names_, interned_data::kEventNames, text);
}

std::uint64_t PacketWriter::AnnotationName(std::string_view text) {
  return Intern(annotations_, interned_data::kDebugAnnotationNames, text);
}

std::uint64_t PacketWriter::DefineSpecification(std::string_view key, std::string_view name,
                                                std::uint64_t category) {
  std::uint64_t iid = 0;
  if (!IsNew(specifications_, key, iid)) return iid;
  ProtoMessage entry;
  entry.AddInteger(interned_data::kIid, iid);
  entry.AddText(interned_data::kName, core::ToCleanUtf8(name));
  entry.AddInteger(interned_data::kSpecificationCategory, category);
  new_data_.AddMessage(interned_data::kGpuSpecifications, entry);
  return iid;
}

std::uint64_t PacketWriter::Queue(std::string_view label) {
  return DefineSpecification("queue " + std::string(label), label, interned_data::kOther);
}

std::uint64_t PacketWriter::Stage(std::string_view name, bool is_compute) {
  return DefineSpecification((is_compute ? "compute " : "other ") + std::string(name), name,
                             is_compute ? interned_data::kCompute : interned_data::kOther);
}

void PacketWriter::DefineContext(std::int32_t pid) {
  if (!contexts_.insert(pid).second) return;
  ProtoMessage entry;
  entry.AddInteger(interned_data::kIid, static_cast<std::uint64_t>(pid));
  entry.AddInteger(interned_data::kContextPid, static_cast<std::uint64_t>(pid));
  new_data_.AddMessage(interned_data::kGraphicsContexts, entry);
}

Status PacketWriter::WriteEvent(std::int64_t time_ns, std::uint32_t field,
                                const ProtoMessage& event) {
  ProtoMessage packet;
  packet.AddInteger(packet::kTimestamp, static_cast<std::uint64_t>(time_ns));
  packet.AddInteger(packet::kTrustedPacketSequenceId, kSequence);
  packet.AddInteger(packet::kSequenceFlags, packet::kNeedsIncrementalState);
  const ProtoMessage data = std::exchange(new_data_, ProtoMessage());
  if (!data.empty()) packet.AddMessage(packet::kInternedData, data);
  packet.AddMessage(field, event);
  return WritePacket(packet);
}

Status PacketWriter::WriteTrack(const ProtoMessage& descriptor) {
  ProtoMessage packet;
  packet.AddInteger(packet::kTrustedPacketSequenceId, kSequence);
  packet.AddMessage(packet::kTrackDescriptor, descriptor);
  return WritePacket(packet);
}

Status PacketWriter::WritePacket(const ProtoMessage& packet) {
  ProtoMessage in_trace;
  in_trace.AddMessage(trace::kPacket, packet);
  return out_.Append(in_trace.bytes());
}

}  // namespace xsp::trace_formats::perfetto
