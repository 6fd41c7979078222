#include "capture/sampling/event_record.h"

#include <gtest/gtest.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include <cstring>
#include <random>

namespace xsp::sampling {
namespace {

constexpr std::size_t kRegisterCount = 3;

/// Writes records as the kernel does.
class Bytes {
 public:
  Bytes(std::uint32_t type, std::uint16_t misc) {
    perf_event_header header{};
    header.type = type;
    header.misc = misc;
    Put(header);
  }
  template <typename T>
  Bytes& Put(T value) {
    const auto* from = reinterpret_cast<const char*>(&value);
    bytes_.insert(bytes_.end(), from, from + sizeof(value));
    return *this;
  }
  Bytes& Text(std::string_view text) {
    bytes_.append(text);
    bytes_.append(8 - text.size() % 8, '\0');
    return *this;
  }
  /// What ends every record but a sample: process, thread, time.
  Bytes& Trailer(std::uint64_t time_ns) {
    return Put(std::int32_t{7}).Put(std::int32_t{8}).Put(time_ns);
  }
  std::string Done() {
    const auto size = static_cast<std::uint16_t>(bytes_.size());
    std::memcpy(bytes_.data() + offsetof(perf_event_header, size), &size, sizeof(size));
    return bytes_;
  }

 private:
  std::string bytes_;
};

std::string SampleBytes() {
  Bytes bytes(PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER);
  bytes.Put(std::int32_t{7}).Put(std::int32_t{8}).Put(std::uint64_t{12345});
  bytes.Put(std::uint64_t{4}).Put(static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL));
  bytes.Put(std::uint64_t{0xFFFFFFFF81000010}).Put(std::uint64_t{0xFFFFFFFF81000020});
  bytes.Put(static_cast<std::uint64_t>(PERF_CONTEXT_USER));
  bytes.Put(std::uint64_t{PERF_SAMPLE_REGS_ABI_64});
  for (const std::uint64_t value : {11, 12, 13}) bytes.Put(value);
  bytes.Put(std::uint64_t{16}).Put(std::uint64_t{0xAABB}).Put(std::uint64_t{0});
  bytes.Put(std::uint64_t{8});
  return bytes.Done();
}

std::string MappingBytes(std::uint32_t protection) {
  return Bytes(PERF_RECORD_MMAP2, 0)
      .Put(std::int32_t{7})
      .Put(std::int32_t{8})
      .Put(std::uint64_t{0x400000})
      .Put(std::uint64_t{0x2000})
      .Put(std::uint64_t{0x1000})
      .Put(std::uint64_t{0})
      .Put(std::uint64_t{99})
      .Put(std::uint64_t{0})
      .Put(protection)
      .Put(std::uint32_t{0})
      .Text("/bin/true")
      .Trailer(5)
      .Done();
}

std::vector<std::string> AllKinds() {
  return {
      SampleBytes(), MappingBytes(PROT_EXEC | PROT_READ),
      Bytes(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC)
          .Put(std::int32_t{7})
          .Put(std::int32_t{8})
          .Text("name")
          .Trailer(6)
          .Done(),
      Bytes(PERF_RECORD_FORK, 0)
          .Put(std::int32_t{9})
          .Put(std::int32_t{7})
          .Put(std::int32_t{9})
          .Put(std::int32_t{8})
          .Put(std::uint64_t{6})
          .Trailer(6)
          .Done(),
      Bytes(PERF_RECORD_LOST, 0).Put(std::uint64_t{1}).Put(std::uint64_t{42}).Trailer(6).Done()};
}

TEST(EventRecordTest, ReadsASample) {
  const auto record = ParseRecord(SampleBytes(), kRegisterCount);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->kind, EventRecord::Kind::kSample);
  EXPECT_EQ(record->process_id, 7);
  EXPECT_EQ(record->thread_id, 8);
  EXPECT_EQ(record->time_ns, 12345u);
  EXPECT_EQ(record->kernel_addresses,
            (std::vector<std::uint64_t>{0xFFFFFFFF81000010, 0xFFFFFFFF81000020}));
  EXPECT_EQ(record->registers, (std::vector<std::uint64_t>{11, 12, 13}));
  EXPECT_EQ(record->stack.size(), 8u);  // What was filled, of 16 bytes.
  EXPECT_FALSE(record->stack_is_cut);
}

TEST(EventRecordTest, ReadsWhatProcessesDo) {
  const auto records = AllKinds();
  const auto mapping = ParseRecord(records[1], kRegisterCount);
  ASSERT_TRUE(mapping.has_value());
  EXPECT_EQ(mapping->kind, EventRecord::Kind::kMapping);
  EXPECT_EQ(mapping->mapping.start, 0x400000u);
  EXPECT_EQ(mapping->mapping.end(), 0x402000u);
  EXPECT_EQ(mapping->mapping.file_offset, 0x1000u);
  EXPECT_EQ(mapping->mapping.inode, 99u);
  EXPECT_EQ(mapping->mapping.path, "/bin/true");
  EXPECT_EQ(mapping->time_ns, 5u);
  const auto name = ParseRecord(records[2], kRegisterCount);
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->name, "name");
  EXPECT_TRUE(name->is_exec);
  const auto forked = ParseRecord(records[3], kRegisterCount);
  ASSERT_TRUE(forked.has_value());
  EXPECT_EQ(forked->kind, EventRecord::Kind::kFork);
  EXPECT_EQ(forked->process_id, 9);
  EXPECT_EQ(forked->parent_process_id, 7);
  EXPECT_EQ(forked->parent_thread_id, 8);
  const auto lost = ParseRecord(records[4], kRegisterCount);
  ASSERT_TRUE(lost.has_value());
  EXPECT_EQ(lost->kind, EventRecord::Kind::kLost);
  EXPECT_EQ(lost->lost, 42);
}

TEST(EventRecordTest, DataIsNoCode) {
  const auto record = ParseRecord(MappingBytes(PROT_READ), kRegisterCount);
  ASSERT_TRUE(record.has_value());
  EXPECT_EQ(record->kind, EventRecord::Kind::kOther);
}

TEST(EventRecordTest, ARecordThatIsCutIsNone) {
  for (const std::string& whole : AllKinds()) {
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_FALSE(ParseRecord({whole.data(), size}, kRegisterCount).has_value());
      std::string shorter = whole.substr(0, size);
      if (size < sizeof(perf_event_header)) continue;
      const auto stated = static_cast<std::uint16_t>(size);
      std::memcpy(shorter.data() + offsetof(perf_event_header, size), &stated, sizeof(stated));
      // It may still make sense; it must not read behind its end (an exact copy, for sanitizers).
      const std::vector<char> exact(shorter.begin(), shorter.end());
      (void)ParseRecord(exact, kRegisterCount);
    }
  }
}

TEST(EventRecordTest, LengthsThatLieAreFound) {
  std::string bytes = SampleBytes();
  for (const std::size_t at : {std::size_t{24}, bytes.size() - 32, bytes.size() - 8}) {
    std::string damaged = bytes;
    const std::uint64_t huge = UINT64_MAX / 2;
    std::memcpy(damaged.data() + at, &huge, sizeof(huge));
    EXPECT_FALSE(ParseRecord(damaged, kRegisterCount).has_value()) << at;
  }
}

TEST(EventRecordTest, AnyBytesAreSafe) {
  std::mt19937 random(1);
  const auto records = AllKinds();
  for (int i = 0; i < 20'000; ++i) {
    std::string damaged = records[random() % records.size()];
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips)
      damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::vector<char> exact(damaged.begin(), damaged.end());
    const auto record = ParseRecord(exact, kRegisterCount);
    if (!record) continue;
    EXPECT_LE(record->stack.size() + record->kernel_addresses.size() * 8, exact.size());
  }
}

}  // namespace
}  // namespace xsp::sampling
