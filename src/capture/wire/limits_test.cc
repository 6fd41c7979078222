// What happens when there is no room: a full recording, a full disk, limits of the process.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <random>
#include <thread>

#include "capture/wire/collected_records.h"
#include "capture/wire/intern_table.h"
#include "capture/wire/recorder.h"
#include "sanitizers.h"

namespace xsp::wire {
namespace {

// Limits, mounts and signals belong to a process: each case gets its own, and says by its exit
// status which check failed.
int InChild(const std::function<int()>& body) {
  const pid_t pid = fork();
  if (pid == 0) _exit(body());
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

xsp_options Options(std::uint64_t capacity_bytes, std::uint32_t block_bytes = 8192) {
  xsp_options options = {};
  options.size = sizeof options;
  options.capacity_bytes = capacity_bytes;
  options.block_bytes = block_bytes;
  options.prepare_bytes = 1;
  return options;
}

// Begins and ends `count` spans; returns how many were taken.
std::uint64_t RecordSpans(std::uint64_t count) {
  std::uint64_t taken = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const xsp_span span = xsp_begin(XSP_LEVEL_LAYER, XSP_TEXT("t"), XSP_TEXT("n"));
    xsp_end(span);
    taken += span != 0 ? 1 : 0;
  }
  return taken;
}

TEST(LimitsTest, AFullRecordingDropsTheNewestAndCounts) {
  const ScratchFolder folder;
  const std::string path = folder / "full.xspr";
  const xsp_options options = Options(4096 + 10 * 8192);
  ASSERT_EQ(xsp_open(path.c_str(), &options), 0);
  const xsp_span first = xsp_begin(XSP_LEVEL_MODEL, XSP_TEXT("t"), XSP_TEXT("first"));
  const std::uint64_t taken = RecordSpans(5000);
  EXPECT_LT(taken, 10u * 256);
  EXPECT_GT(taken, 8u * 250) << "all but the block of texts";
  EXPECT_EQ(xsp_dropped(), 5000 - taken);
  std::thread([] { RecordSpans(100); }).join();
  EXPECT_EQ(xsp_dropped(), 5100 - taken);
  xsp_end(first);  // An end needs no room.
  xsp_close();
  const auto read = ReadRecording(path);
  EXPECT_EQ(read->spans.size(), taken + 1);
  EXPECT_EQ(read->losses.dropped, 5100 - taken);
  EXPECT_EQ(read->losses.open_spans, 0u);
  EXPECT_EQ(read->info.file_bytes, 4096u + 10 * 8192);
}

TEST(LimitsTest, ATextThatFindsNoRoomIsEmptyAndCounted) {
  const ScratchFolder folder;
  const std::string path = folder / "texts.xspr";
  const xsp_options options = Options(4096 + 6 * 8192);
  ASSERT_EQ(xsp_open(path.c_str(), &options), 0);
  std::uint64_t refused = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string text = "limits " + std::to_string(i) + std::string(2000, '.');
    if (Intern(text) == 0) ++refused;
  }
  EXPECT_GT(refused, 10u);
  EXPECT_EQ(xsp_dropped(), refused);
  xsp_close();
  EXPECT_NE(Intern("limits 39" + std::string(2000, '.')), 0u) << "without a file there is room";
}

TEST(LimitsTest, RespectsTheFileSizeLimitWithoutASignal) {
  const ScratchFolder folder;
  const std::string path = folder / "limited.xspr";
  const int result = InChild([&] {
    signal(SIGXFSZ, SIG_DFL);
    const rlimit limit = {1 << 20, 1 << 20};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    const xsp_options options = Options(64 << 20);
    if (xsp_open(path.c_str(), &options) != 0) return 3;
    const std::uint64_t taken = RecordSpans(100'000);
    if (taken < 30'000 || taken > 32'768) return 4;
    if (xsp_dropped() != 100'000 - taken) return 5;
    xsp_close();
    return 0;
  });
  EXPECT_EQ(result, 0);
  const auto read = ReadRecording(path);
  EXPECT_LE(read->info.file_bytes, 1u << 20);
  EXPECT_GT(read->losses.dropped, 0u);
}

TEST(LimitsTest, RefusesAFileSizeLimitBelowTheLeast) {
  const ScratchFolder folder;
  const int result = InChild([&] {
    const rlimit limit = {1000, 1000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
    return xsp_open((folder / "none.xspr").c_str(), nullptr) == EFBIG ? 0 : 3;
  });
  EXPECT_EQ(result, 0);
  EXPECT_FALSE(std::filesystem::exists(folder / "none.xspr")) << "nothing is left behind";
}

TEST(LimitsTest, TakesASmallerRecordingWhereAddressSpaceIsShort) {
#if defined(XSP_ADDRESS_SANITIZER) || defined(XSP_THREAD_SANITIZER)
  GTEST_SKIP() << "a sanitizer's shadow memory does not fit into a limited address space";
#endif
  const ScratchFolder folder;
  const int result = InChild([&] {
    const rlimit limit = {512 << 20, 512 << 20};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
    if (xsp_open((folder / "small.xspr").c_str(), nullptr) != 0) return 3;
    if (RecordSpans(1000) != 1000) return 4;
    xsp_close();
    return 0;
  });
  EXPECT_EQ(result, 0);
}

// A file system of one mebibyte. Needs the right to mount; without it the limit on file sizes
// above covers the same code but the kernel's refusal.
TEST(LimitsTest, AFullDiskDropsAndCounts) {
  const ScratchFolder folder;
  const std::string mount_point = folder / "disk";
  std::filesystem::create_directory(mount_point);
  if (mount("tmpfs", mount_point.c_str(), "tmpfs", 0, "size=1m") != 0) {
    GTEST_SKIP() << "a small file system cannot be mounted: " << strerror(errno);
  }
  const std::string path = mount_point + "/r.xspr";
  const int result = InChild([&] {
    const xsp_options options = Options(64 << 20);
    if (xsp_open(path.c_str(), &options) != 0) return 2;
    const std::uint64_t taken = RecordSpans(100'000);
    if (taken < 20'000 || taken >= 32'768) return 3;
    if (xsp_dropped() != 100'000 - taken) return 4;
    xsp_close();
    return 0;
  });
  EXPECT_EQ(result, 0) << "1007: SIGBUS";
  const auto read = ReadRecording(path);
  EXPECT_TRUE(read->is_readable);
  EXPECT_GT(read->spans.size(), 20'000u);
  EXPECT_EQ(read->spans.size() + read->losses.dropped, 100'000u);
  EXPECT_EQ(read->losses.damaged_blocks, 0u);

  // And one without room for even the least.
  const std::string filler = mount_point + "/filler";
  std::filesystem::remove(path);
  {
    std::unique_ptr<FILE, int (*)(FILE*)> file(fopen(filler.c_str(), "w"), fclose);
    const std::string megabyte(1 << 20, 'x');
    (void)fwrite(megabyte.data(), 1, megabyte.size(), file.get());
  }
  EXPECT_EQ(InChild([&] { return xsp_open(path.c_str(), nullptr) == ENOSPC ? 0 : 2; }), 0);
  EXPECT_FALSE(std::filesystem::exists(path));
  umount(mount_point.c_str());
}

TEST(LimitsTest, TheTextTableFindsWhatWasAdded) {
  static InternTable table;  // Too large for the stack of some.
  std::mt19937 random(4);
  std::vector<std::string> texts;
  for (int i = 0; i < 20'000; ++i) {
    texts.push_back(std::to_string(random()) + std::string(random() % 5, '\0'));
  }
  std::uint32_t added = 0;
  for (const std::string& text : texts) {
    if (table.Find(text.data(), text.size()) != nullptr) continue;
    InternedText* entry = table.Make(text.data(), text.size());
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(entry->id, ++added);
    table.Add(entry);
  }
  for (const std::string& text : texts) {
    const InternedText* entry = table.Find(text.data(), text.size());
    ASSERT_NE(entry, nullptr);
    EXPECT_EQ(std::string_view(entry->text(), entry->length), text);
  }
  EXPECT_EQ(table.Find("not there", 9), nullptr);
  const std::string huge(65 << 20, 'x');
  EXPECT_EQ(table.Make(huge.data(), huge.size()), nullptr) << "bounded memory";
}

}  // namespace
}  // namespace xsp::wire
