#include <gtest/gtest.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "answer/trace_formats/perfetto/perfetto_fields.h"
#include "answer/trace_formats/trace_format.h"
#include "answer/trace_formats/trace_formats_testing.h"
#include "core/utf8.h"
#include "trace/trace.h"

namespace xsp::trace_formats::perfetto {
extern const TraceFormatSpec kSpec;
namespace {

/// A message, read without knowing its type: numbers and bytes by field.
struct Decoded {
  std::multimap<std::uint32_t, std::uint64_t> numbers;
  std::multimap<std::uint32_t, std::string_view> texts;

  std::uint64_t Number(std::uint32_t field) const {
    const auto found = numbers.find(field);
    return found == numbers.end() ? 0 : found->second;
  }
  /// Of the bytes that were decoded.
  std::string_view Text(std::uint32_t field) const {
    const auto found = texts.find(field);
    return found == texts.end() ? std::string_view() : found->second;
  }
};

std::uint64_t TakeVarint(std::string_view& bytes) {
  std::uint64_t value = 0;
  for (int shift = 0; !bytes.empty() && shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7fU} << shift;
    if (byte < 0x80) return value;
  }
  ADD_FAILURE() << "not a varint";
  return 0;
}

Decoded Decode(std::string_view bytes) {
  Decoded message;
  while (!bytes.empty()) {
    const std::uint64_t tag = TakeVarint(bytes);
    const auto field = static_cast<std::uint32_t>(tag >> 3);
    if ((tag & 7) == 0) {
      message.numbers.emplace(field, TakeVarint(bytes));
      continue;
    }
    const std::size_t size = (tag & 7) == 1 ? 8 : TakeVarint(bytes);
    EXPECT_TRUE((tag & 7) == 1 || (tag & 7) == 2);
    EXPECT_LE(size, bytes.size());
    const std::string_view value = bytes.substr(0, size);
    bytes.remove_prefix(value.size());
    if ((tag & 7) == 2) {
      message.texts.emplace(field, value);
      continue;
    }
    std::uint64_t number = 0;
    for (std::size_t i = 0; i < value.size(); ++i)
      number |= std::uint64_t{static_cast<unsigned char>(value[i])} << (8 * i);
    message.numbers.emplace(field, number);
  }
  return message;
}

/// What a reader of the trace sees, with all numbers of texts resolved.
struct ReadTrace {
  std::map<std::uint64_t, std::string> tracks;  // Names, by uuid.
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::string> interned;
  std::vector<std::string> lines;
  std::map<std::string, std::int64_t> times;  // Sums of durations, by level.
  std::map<std::uint64_t, std::vector<std::pair<std::string, std::uint64_t>>> open;

  const std::string& Interned(std::uint32_t field, std::uint64_t iid) {
    const auto found = interned.find({field, iid});
    EXPECT_NE(found, interned.end());
    static const std::string kNothing;
    return found == interned.end() ? kNothing : found->second;
  }

  void AddTrack(const Decoded& track) {
    const std::uint64_t parent = track.Number(track_descriptor::kParentUuid);
    EXPECT_TRUE(parent == 0 || tracks.contains(parent));
    std::string name(track.Text(track_descriptor::kName));
    if (track.texts.contains(track_descriptor::kThread)) {
      const Decoded thread = Decode(track.Text(track_descriptor::kThread));
      name = std::string(thread.Text(track_descriptor::kThreadName)) + " " +
             std::to_string(thread.Number(track_descriptor::kThreadTid));
    } else if (track.texts.contains(track_descriptor::kProcess)) {
      name = Decode(track.Text(track_descriptor::kProcess)).Text(track_descriptor::kProcessName);
    }
    EXPECT_TRUE(core::IsCleanUtf8(name));
    EXPECT_TRUE(tracks.emplace(track.Number(track_descriptor::kUuid), name).second);
    lines.push_back("track " + name);
  }

  void AddEvent(std::uint64_t time, const Decoded& event) {
    const std::uint64_t uuid = event.Number(track_event::kTrackUuid);
    ASSERT_TRUE(tracks.contains(uuid));
    auto& stack = open[uuid];
    switch (event.Number(track_event::kType)) {
      case track_event::kSliceBegin: {
        const std::string& level =
            Interned(interned_data::kEventCategories, event.Number(track_event::kCategoryIids));
        lines.push_back(std::to_string(time) + " " + tracks[uuid] + ": " + level + " " +
                        Interned(interned_data::kEventNames, event.Number(track_event::kNameIid)));
        stack.emplace_back(level, time);
        break;
      }
      case track_event::kSliceEnd:
        ASSERT_FALSE(stack.empty());
        lines.push_back(std::to_string(time) + " " + tracks[uuid] + ": end");
        times[stack.back().first] += static_cast<std::int64_t>(time - stack.back().second);
        stack.pop_back();
        break;
      case track_event::kCounterValue:
        lines.push_back(
            std::to_string(time) + " " + tracks[uuid] + " = " +
            std::to_string(std::bit_cast<double>(event.Number(track_event::kDoubleCounterValue))));
        break;
      default:
        ADD_FAILURE() << "another type of event";
    }
  }

  void AddStage(std::uint64_t time, const Decoded& event) {
    namespace stage = gpu_render_stage_event;
    const auto spec = [&](std::uint32_t field) {
      return Interned(interned_data::kGpuSpecifications, event.Number(field));
    };
    lines.push_back(std::to_string(time) + " GPU " + std::to_string(event.Number(stage::kGpuId)) +
                    ", " + spec(stage::kHwQueueIid) + ": " + spec(stage::kStageIid) + " for " +
                    std::to_string(event.Number(stage::kDuration)));
    times["kernel"] += static_cast<std::int64_t>(event.Number(stage::kDuration));
    EXPECT_TRUE(
        interned.contains({interned_data::kGraphicsContexts, event.Number(stage::kContext)}));
  }
};

ReadTrace Read(const std::string& bytes) {
  ReadTrace read;
  const Decoded file = Decode(bytes);
  for (const auto& [field, text] : file.texts) {
    EXPECT_EQ(field, trace::kPacket);
    const Decoded packet = Decode(text);
    const Decoded definitions = Decode(packet.Text(packet::kInternedData));
    for (const auto& [of, entry] : definitions.texts) {
      const Decoded interned = Decode(entry);
      const std::string name(of == interned_data::kGraphicsContexts
                                 ? std::string_view()
                                 : interned.Text(interned_data::kName));
      EXPECT_TRUE(core::IsCleanUtf8(name));
      EXPECT_TRUE(
          read.interned.emplace(std::pair(of, interned.Number(interned_data::kIid)), name).second);
    }
    const std::uint64_t time = packet.Number(packet::kTimestamp);
    if (packet.texts.contains(packet::kTrackDescriptor)) {
      read.AddTrack(Decode(packet.Text(packet::kTrackDescriptor)));
    } else if (packet.texts.contains(packet::kTrackEvent)) {
      read.AddEvent(time, Decode(packet.Text(packet::kTrackEvent)));
    } else if (packet.texts.contains(packet::kGpuRenderStageEvent)) {
      read.AddStage(time, Decode(packet.Text(packet::kGpuRenderStageEvent)));
    } else {
      EXPECT_EQ(packet.Number(packet::kSequenceFlags), packet::kIncrementalStateCleared);
    }
  }
  return read;
}

TEST(PerfettoFormat, WritesASmallRun) {
  const ReadTrace read = Read(ExportText(kSpec, SmallTrace()));
  EXPECT_EQ(read.lines, (std::vector<std::string>{
                            "track process 7", "track GPU 1", "track main 9", "track stream 3",
                            "1000 main 9: model a \"model\"", "2000 main 9: layer conv;1\n",
                            "2500 main 9: library launch", "4000 GPU 1, stream 3: gemm for 2001",
                            "3000 main 9: end", "7500 main 9: end", "10000 main 9: end",
                            "track main: power", "1500 main: power = 20.500000"}));
}

TEST(PerfettoFormat, KeepsAllTimeOfEachLevel) {
  for (std::uint32_t seed = 1; seed <= 10; ++seed) {
    const xsp::trace::Trace trace = NestedTrace(seed, 300);
    ReadTrace read = Read(ExportText(kSpec, trace));
    EXPECT_EQ(read.times["model"], SumOf(trace, xsp::trace::Level::kModel));
    EXPECT_EQ(read.times["layer"], SumOf(trace, xsp::trace::Level::kLayer));
    EXPECT_EQ(read.times["kernel"], SumOf(trace, xsp::trace::Level::kKernel));
    // Only what never ended is open at the end.
    std::size_t open = 0, never_ended = 0;
    for (const auto& [track, stack] : read.open) open += stack.size();
    for (const std::int64_t duration : trace.spans.duration_ns)
      never_ended += duration == xsp::trace::kNeverEnded ? 1 : 0;
    EXPECT_EQ(open, never_ended);
  }
}

TEST(PerfettoFormat, ConnectsLinkedSpansAtBothEnds) {
  xsp::trace::Trace trace = SmallTrace();
  xsp::trace::TraceWriter(trace).AddLink(1, 2, xsp::trace::LinkKind::kForwardBackward);
  std::vector<std::uint64_t> from, to;
  const std::string bytes = ExportText(kSpec, trace);
  const Decoded file = Decode(bytes);
  for (const auto& [field, text] : file.texts) {
    const Decoded event = Decode(Decode(text).Text(packet::kTrackEvent));
    if (event.numbers.contains(track_event::kFlowIds))
      from.push_back(event.Number(track_event::kFlowIds));
    if (event.numbers.contains(track_event::kTerminatingFlowIds))
      to.push_back(event.Number(track_event::kTerminatingFlowIds));
  }
  EXPECT_EQ(from.size(), 1u);
  EXPECT_EQ(from, to);
}

TEST(PerfettoFormat, WritesAnyNameAndTimesBeforeTheOrigin) {
  EXPECT_EQ(Read(ExportText(kSpec, HostileTrace())).times["layer"], 70);
  xsp::trace::Trace trace = SmallTrace();
  xsp::trace::TraceWriter(trace).AddSpan({xsp::trace::Level::kLayer, "op", "early", 1, -500, 100});
  const ReadTrace read = Read(ExportText(kSpec, trace));
  EXPECT_EQ(read.lines[4], "0 main 9: layer early");
}

}  // namespace
}  // namespace xsp::trace_formats::perfetto
