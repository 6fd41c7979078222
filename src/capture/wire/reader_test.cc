#include "capture/wire/reader.h"

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

#include "capture/wire/collected_records.h"
#include "capture/wire/recorder.h"

namespace xsp::wire {
namespace {

std::string Slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// A small recording with a record of every kind in it, of some blocks.
std::string SampleBytes() {
  const ScratchFolder folder;
  const std::string path = folder / "s.xspr";
  xsp_options options = {};
  options.size = sizeof options;
  options.block_bytes = 8192;
  options.prepare_bytes = 1;
  EXPECT_EQ(xsp_open(path.c_str(), &options), 0);
  for (int i = 0; i < 300; ++i) {
    const SpanScope layer(XSP_LEVEL_LAYER, XSP_TEXT("conv2d"), Intern("l" + std::to_string(i)));
    layer.Metric(XSP_TEXT("m"), i, XSP_TEXT("1"), XSP_TEXT("analytic"));
    layer.Attribute(XSP_TEXT("a"), std::string(static_cast<std::size_t>(i % 90), 'a'));
    xsp_complete(XSP_LEVEL_KERNEL, XSP_TEXT("primitive"), XSP_TEXT("k"), xsp_now_ns(), 10);
    Mark(XSP_TEXT("mark"));
    Counter(XSP_TEXT("c"), i, XSP_TEXT("1"));
  }
  xsp_close();
  return Slurp(path);
}

void PatchHeader(std::string& bytes, const std::function<void(FileHeader&)>& change) {
  FileHeader header;
  memcpy(&header, bytes.data(), sizeof header);
  change(header);
  memcpy(bytes.data(), &header, sizeof header);
}

std::size_t RecordsIn(const CollectedRecords& read) {
  return read.spans.size() + read.metrics.size() + read.attributes.size() + read.marks.size() +
         read.counters.size();
}

TEST(ReaderTest, SaysWhyAFileIsNotReadable) {
  const ScratchFolder folder;
  EXPECT_EQ(ReadRecording(folder / "none")->error.kind, ReadError::Kind::kCannotRead);
  EXPECT_EQ(ReadRecording(folder.path().string())->error.kind, ReadError::Kind::kCannotRead);
  EXPECT_EQ(ReadRecordingBytes("")->error.what, "recording is empty");
  EXPECT_EQ(ReadRecordingBytes("hello, world")->error.kind, ReadError::Kind::kNotARecording);
  EXPECT_EQ(ReadRecordingBytes(std::string(100'000, '\xff'))->error.kind,
            ReadError::Kind::kNotARecording);
  const std::string sample = SampleBytes();
  EXPECT_EQ(ReadRecordingBytes(sample.substr(0, 200))->error.what,
            "recording ends in its header: after 200 bytes");
  std::string newer = sample;
  PatchHeader(newer, [](FileHeader& header) { header.version = 7; });
  const auto refused = ReadRecordingBytes(newer);
  EXPECT_EQ(refused->error.kind, ReadError::Kind::kNewerVersion);
  EXPECT_EQ(refused->error.what, "recording was written by a newer XSP: version 7, known up to 1");
  EXPECT_FALSE(refused->error.hint.empty());
  for (const auto& damage : std::vector<std::function<void(FileHeader&)>>{
           [](FileHeader& header) { header.block_bytes = 0; },
           [](FileHeader& header) { header.block_bytes = 9000; },
           [](FileHeader& header) { header.block_bytes = 1u << 31; },
           [](FileHeader& header) { header.header_bytes = 3; },
           [](FileHeader& header) { header.clock_kind = 99; },
           [](FileHeader& header) { header.version = 0; }}) {
    std::string bytes = sample;
    PatchHeader(bytes, damage);
    EXPECT_EQ(ReadRecordingBytes(bytes)->error.kind, ReadError::Kind::kNotARecording);
  }
}

TEST(ReaderTest, RefusesTheRecordingOfABigEndianMachine) {
  std::string bytes = SampleBytes();
  PatchHeader(bytes, [](FileHeader& header) {
    for (std::uint32_t* field :
         {&header.version, &header.header_bytes, &header.block_bytes, &header.clock_kind})
      *field = __builtin_bswap32(*field);
  });
  const auto refused = ReadRecordingBytes(bytes);
  EXPECT_EQ(refused->error.kind, ReadError::Kind::kNotARecording);
  EXPECT_EQ(refused->error.what,
            "recording is of a big-endian machine, and XSP reads little-endian ones only");
  EXPECT_NE(refused->error.hint.find("ppc64le"), std::string::npos);
}

TEST(ReaderTest, ReadsOnWhereTheHeadersCountIsWrong) {
  const std::string sample = SampleBytes();
  const std::size_t all = RecordsIn(*ReadRecordingBytes(sample));
  EXPECT_EQ(all, 300u * 6);
  for (const std::uint64_t blocks : {std::uint64_t{0}, std::uint64_t{2}, UINT64_MAX / 8192}) {
    std::string bytes = sample;
    PatchHeader(bytes, [&](FileHeader& header) { header.used_blocks = blocks; });
    EXPECT_EQ(RecordsIn(*ReadRecordingBytes(bytes)), all) << blocks;
    PatchHeader(bytes, [&](FileHeader& header) {
      header.state = 0;
      header.next_block = blocks;
      header.capacity_bytes = blocks;
    });
    EXPECT_EQ(RecordsIn(*ReadRecordingBytes(bytes)), all) << blocks;
  }
}

TEST(ReaderTest, SkipsTheRestOfADamagedBlockOnly) {
  std::string bytes = SampleBytes();
  const std::size_t all = RecordsIn(*ReadRecordingBytes(bytes));
  // The first record after a later block's own two: a size that does not fit its kind.
  bytes[4096 + 4 * 8192 + 2 * 32 + 2] = 77;
  const auto read = ReadRecordingBytes(bytes);
  ASSERT_TRUE(read->is_readable);
  EXPECT_EQ(read->losses.damaged_blocks, 1u);
  EXPECT_NE(read->losses.first_damage.find("block at"), std::string::npos);
  EXPECT_LT(RecordsIn(*read), all);
  EXPECT_GT(RecordsIn(*read), all - 8192 / 32);
}

TEST(ReaderTest, NoticesAHoleOfZeros) {
  std::string bytes = SampleBytes();
  const std::size_t all = RecordsIn(*ReadRecordingBytes(bytes));
  memset(bytes.data() + 4096 + 3 * 8192 + 4096, 0, 512);
  const auto read = ReadRecordingBytes(bytes);
  EXPECT_EQ(read->losses.damaged_blocks, 1u);
  EXPECT_LT(RecordsIn(*read), all);
}

// At every length: what is before the cut is there, and what is missing is reported.
TEST(ReaderTest, ReadsUpToTheLastWholeRecordOfATruncatedFile) {
  const std::string sample = SampleBytes();
  const auto whole = ReadRecordingBytes(sample);
  std::size_t before = 0;
  for (std::size_t length = 4096; length < sample.size(); length += 557) {
    const auto read = ReadRecordingBytes(std::string_view(sample).substr(0, length));
    ASSERT_TRUE(read->is_readable) << length;
    EXPECT_GT(read->losses.missing_bytes, 0u) << length;
    const std::size_t records = RecordsIn(*read);
    EXPECT_GE(records, before) << length;
    before = records;
    for (std::size_t i = 0; i < read->spans.size(); ++i) {
      ASSERT_EQ(read->spans[i].id, whole->spans[i].id);
      // The closing clock readings may be cut off: then the last times are extrapolated.
      ASSERT_NEAR(static_cast<double>(read->spans[i].start_ns - whole->spans[i].start_ns), 0, 1000);
    }
  }
  EXPECT_GT(before, 1400u);
}

TEST(ReaderTest, SurvivesRandomDamage) {
  const std::string sample = SampleBytes();
  std::mt19937_64 random(11);
  std::size_t readable = 0;
  constexpr int kRounds = 300;
  for (int round = 0; round < kRounds; ++round) {
    std::string bytes = sample;
    const auto hits = 1 + random() % 40;
    for (std::uint64_t hit = 0; hit < hits; ++hit) {
      const std::size_t at = random() % bytes.size();
      switch (random() % 5) {
        case 0:
          bytes[at] = static_cast<char>(random());
          break;
        case 1:
          bytes[at] = static_cast<char>(bytes[at] ^ (1 << random() % 8));
          break;
        case 2:
          memset(&bytes[at], 0, std::min<std::size_t>(bytes.size() - at, random() % 9000));
          break;
        case 3:
          memset(&bytes[at], 255, std::min<std::size_t>(bytes.size() - at, random() % 64));
          break;
        case 4: {  // A piece of it at another place.
          const std::size_t from = random() % bytes.size();
          const std::size_t length =
              std::min({bytes.size() - at, bytes.size() - from, std::size_t{random() % 3000}});
          memmove(&bytes[at], sample.data() + from, length);
          break;
        }
      }
    }
    if (random() % 4 == 0) bytes.resize(random() % bytes.size());
    const auto read = ReadRecordingBytes(bytes);
    if (!read->is_readable) {
      EXPECT_FALSE(read->error.what.empty());
      continue;
    }
    ++readable;
    EXPECT_LE(RecordsIn(*read), bytes.size() / 32);
    for (const auto& span : read->spans) {
      ASSERT_LE(span.level, XSP_LEVEL_KERNEL);
      ASSERT_LT(span.thread, read->threads.size());
      if (!span.is_open()) {
        ASSERT_GE(span.end_ns, span.start_ns);
      }
    }
  }
  EXPECT_GT(readable, static_cast<std::size_t>(kRounds / 2));
}

TEST(ReaderTest, GivesTheSameTwice) {
  const std::string sample = SampleBytes();
  ReadError error;
  const auto reader = Reader::OpenBytes(sample, &error);
  ASSERT_NE(reader, nullptr);
  CollectedRecords first, second;
  reader->Read(first);
  reader->Read(second);
  EXPECT_EQ(RecordsIn(first), RecordsIn(second));
  EXPECT_EQ(reader->losses().open_spans, 0u);
}

}  // namespace
}  // namespace xsp::wire
