#include "app/serve/uploads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <latch>
#include <limits>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "os/files.h"
#include "store/store_testing.h"

namespace xsp::serve {
namespace {

namespace fs = std::filesystem;
using testing::MatchesRegex;

/// A request whose body arrives in these pieces; `is_whole`: it ends as it should.
Request Sending(std::vector<std::string> pieces, bool is_whole = true) {
  Request request;
  request.read_body = [pieces = std::move(pieces),
                       is_whole](const std::function<bool(std::string_view)>& take) {
    for (const std::string& piece : pieces)
      if (!take(piece)) return false;
    return is_whole;
  };
  return request;
}

class UploadsTest : public testing::Test {
 protected:
  fs::path folder() const { return folder_.path() / "state" / "uploads"; }

  /// Folders of uploads that are there.
  std::ptrdiff_t Count() const {
    if (!fs::exists(folder())) return 0;
    return std::distance(fs::directory_iterator(folder()), fs::directory_iterator());
  }

  store::TestFolder folder_;
};

TEST_F(UploadsTest, AreStoredUnderTheirReference) {
  Uploads uploads(folder(), 100);
  const Uploads::Upload upload = uploads.Receive("a.json", Sending({"ab", "", "c"}), 0).value();
  EXPECT_EQ(upload.name, "a.json");
  EXPECT_EQ(upload.bytes, 3);
  EXPECT_THAT(upload.reference, MatchesRegex("upload:[0-9a-f]*"));
  EXPECT_TRUE(IsUploadReference(upload.reference));
  const fs::path file = uploads.FileOf(upload.reference).value();
  EXPECT_EQ(file.filename(), "a.json");
  EXPECT_EQ(os::ReadFile(file).value(), "abc");
}

TEST_F(UploadsTest, HaveReferencesOfOneForm) {
  const std::string id(24, 'a');
  EXPECT_TRUE(IsUploadReference("upload:" + id));
  for (const std::string& text :
       {std::string(), std::string("upload:"), id, "upload:" + id + "a", "upload:" + id.substr(1),
        "upload:" + std::string(24, 'A'), "upload:" + std::string(24, 'g'),
        "upload:../" + id.substr(3), "upload:" + id.substr(1) + "/",
        "upload:" + id.substr(1) + '\0', " upload:" + id, "Upload:" + id, "upload:" + id + "/x",
        "upload:" + std::string(24, '.')})
    EXPECT_FALSE(IsUploadReference(text)) << text;
}

TEST_F(UploadsTest, ReferencesLeadNowhereElse) {
  Uploads uploads(folder(), 100);
  ASSERT_TRUE(uploads.Receive("a", Sending({"a"}), 0).ok());
  std::ofstream(folder_.path() / "secret") << "secret";
  for (const std::string& reference :
       {std::string("upload:"), std::string("upload:.."), std::string("upload:../.."),
        "upload:" + std::string(24, '0'), (folder_.path() / "secret").string()}) {
    const auto file = uploads.FileOf(reference);
    ASSERT_FALSE(file.ok()) << reference;
    EXPECT_EQ(file.error().kind, ErrorKind::kBadInput);
    uploads.Remove(reference);
  }
  EXPECT_TRUE(fs::exists(folder_.path() / "secret"));
  EXPECT_EQ(Count(), 1);
}

TEST_F(UploadsTest, NamesLeadOutOfNoFolder) {
  Uploads uploads(folder(), 10'000);
  const std::pair<std::string, std::string> names[] = {
      {"../../x", "x"},
      {"..", "file"},
      {".", "file"},
      {"", "file"},
      {"/", "file"},
      {"/etc/passwd", "passwd"},
      {"a/..", "file"},
      {"a/../", "file"},
      {"..\\..\\x", "x"},
      {"C:\\a\\b.json", "b.json"},
      {"\\", "file"},
      {".hidden", "hidden"},
      {"...a", "a"},
      {"-.-rf", "rf"},
      {"--help", "help"},
      {std::string("a\0b", 3), "a-b"},
      {std::string("\0", 1), "file"},
      {"a\nb\r\x7f", "a-b--"},
      {"a b;c$(d)`e`|f*?", "a-b-c--d--e--f--"},
      {"\xff\xfe.txt", "txt"},
      {"rank_0@host=a,b+c-d.nsys-rep", "rank_0@host=a,b+c-d.nsys-rep"}};
  for (const auto& [name, expected] : names) {
    const auto upload = uploads.Receive(name, Sending({"x"}), 0);
    ASSERT_TRUE(upload.ok()) << name;
    EXPECT_EQ(upload.value().name, expected) << name;
    const fs::path file = uploads.FileOf(upload.value().reference).value();
    EXPECT_EQ(file.filename(), expected);
    EXPECT_EQ(fs::canonical(file).parent_path().parent_path(), fs::canonical(folder()));
  }
}

TEST_F(UploadsTest, LongNamesKeepTheirEnd) {
  Uploads uploads(folder(), 10'000);
  const auto name_of = [&](const std::string& name) {
    return uploads.Receive(name, Sending({"x"}), 0).value().name;
  };
  EXPECT_EQ(name_of(std::string(5000, 'a') + ".json"), std::string(115, 'a') + ".json");
  EXPECT_EQ(name_of(std::string(5000, '.')), "file");
  // What was within the name is its beginning now.
  EXPECT_EQ(name_of("a" + std::string(115, '.') + ".json"), "json");
  EXPECT_EQ(name_of("a-" + std::string(118, 'b')), "a-" + std::string(118, 'b'));
  EXPECT_EQ(name_of("a-" + std::string(119, 'b')), std::string(119, 'b'));
}

TEST_F(UploadsTest, HaveAQuotaTogether) {
  Uploads uploads(folder(), 10);
  const auto first = uploads.Receive("a", Sending({"123456"}), 6);
  ASSERT_TRUE(first.ok());
  for (const std::int64_t stated : {0, 4, 5}) {
    const auto refused = uploads.Receive("b", Sending({"123", "45"}), stated);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().kind, ErrorKind::kEnvironment);
    EXPECT_EQ(Count(), 1);
  }
  const auto second = uploads.Receive("b", Sending({"1234"}), 4);
  ASSERT_TRUE(second.ok());
  EXPECT_FALSE(uploads.Receive("c", Sending({"1"}), 0).ok());
  uploads.Remove(first.value().reference);
  EXPECT_FALSE(uploads.FileOf(first.value().reference).ok());
  EXPECT_TRUE(uploads.Receive("c", Sending({"123456"}), 6).ok());
  EXPECT_FALSE(uploads.Receive("d", Sending({"1"}), 1).ok());
}

TEST_F(UploadsTest, WhatCannotFitIsRefusedBeforeItArrives) {
  Uploads uploads(folder(), 10);
  Request request;
  bool is_read = false;
  request.read_body = [&](const std::function<bool(std::string_view)>&) { return is_read = true; };
  EXPECT_FALSE(uploads.Receive("a", request, 11).ok());
  EXPECT_FALSE(is_read);
  EXPECT_EQ(Count(), 0);
}

TEST_F(UploadsTest, HugeStatedLengthsDoNotChangeTheQuota) {
  Uploads uploads(folder(), 10);
  ASSERT_TRUE(uploads.Receive("a", Sending({"123456"}), 0).ok());
  const std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t stated : {largest, largest - 6, largest - 5})
    EXPECT_FALSE(uploads.Receive("b", Sending({"1"}), stated).ok());
  EXPECT_FALSE(uploads.Receive("b", Sending({"12345"}), 0).ok());
  EXPECT_TRUE(uploads.Receive("b", Sending({"1234"}), 0).ok());
}

TEST_F(UploadsTest, ThatEndEarlyLeaveNothing) {
  Uploads uploads(folder(), 10);
  for (int i = 0; i < 3; ++i) {
    const auto ended = uploads.Receive("a", Sending({"12345", "678"}, false), 10);
    ASSERT_FALSE(ended.ok());
    EXPECT_EQ(ended.error().kind, ErrorKind::kBadInput);
    EXPECT_EQ(ended.error().what, "the upload ended early, after 8 bytes");
    EXPECT_EQ(Count(), 0);
  }
  EXPECT_TRUE(uploads.Receive("a", Sending({"1234567890"}), 10).ok());
}

TEST_F(UploadsTest, WhereNothingCanBeWrittenFail) {
  std::ofstream(folder_.path() / "file") << "x";
  Uploads uploads(folder_.path() / "file" / "uploads", 10);
  EXPECT_EQ(uploads.Receive("a", Sending({"x"}), 0).error().kind, ErrorKind::kEnvironment);
}

TEST_F(UploadsTest, OfAnEarlierServerCount) {
  std::string reference;
  {
    Uploads uploads(folder(), 10);
    reference = uploads.Receive("a", Sending({"123456"}), 0).value().reference;
  }
  Uploads uploads(folder(), 10);
  EXPECT_TRUE(uploads.FileOf(reference).ok());
  EXPECT_FALSE(uploads.Receive("b", Sending({"12345"}), 0).ok());
  uploads.Remove(reference);
  EXPECT_TRUE(uploads.Receive("b", Sending({"1234567890"}), 0).ok());
}

TEST_F(UploadsTest, AreRemovedAfterADay) {
  Uploads::Clock::time_point now;
  Uploads uploads(folder(), 10, [&now] { return now; });
  const std::string old = uploads.Receive("a", Sending({"1234"}), 0).value().reference;
  now += std::chrono::hours(2);
  const std::string young = uploads.Receive("b", Sending({"1234"}), 0).value().reference;
  now += std::chrono::hours(23);
  EXPECT_TRUE(uploads.Receive("c", Sending({"123456"}), 6).ok());
  EXPECT_FALSE(uploads.FileOf(old).ok());
  EXPECT_TRUE(uploads.FileOf(young).ok());
  fs::last_write_time(uploads.FileOf(young).value().parent_path(),
                      fs::file_time_type::clock::now() - std::chrono::hours(25));
  const Uploads later(folder(), 10);
  EXPECT_FALSE(later.FileOf(young).ok());
}

TEST_F(UploadsTest, OutliveAStepOfTheSystemsClock) {
  Uploads uploads(folder(), 100);
  const std::string reference = uploads.Receive("a", Sending({"1234"}), 0).value().reference;
  // As after a step forward, and then one back.
  for (const int hours : {-1000, 1000}) {
    fs::last_write_time(uploads.FileOf(reference).value().parent_path(),
                        fs::file_time_type::clock::now() + std::chrono::hours(hours));
    EXPECT_TRUE(uploads.Receive("b", Sending({"1"}), 0).ok());
    EXPECT_TRUE(uploads.FileOf(reference).ok()) << hours;
  }
}

TEST_F(UploadsTest, ThatArriveOutliveAStepOfTheSystemsClock) {
  Uploads uploads(folder(), 100);
  Request request;
  request.read_body = [&](const std::function<bool(std::string_view)>& take) {
    EXPECT_TRUE(take("12"));
    // As after a step forward; another upload removes what is old.
    for (const auto& arriving : fs::directory_iterator(folder()))
      fs::last_write_time(arriving, fs::file_time_type::clock::now() - std::chrono::hours(1000));
    EXPECT_TRUE(uploads.Receive("b", Sending({"1"}), 0).ok());
    return take("34");
  };
  const auto upload = uploads.Receive("a", request, 0);
  ASSERT_TRUE(upload.ok());
  const auto file = uploads.FileOf(upload.value().reference);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(fs::file_size(file.value()), 4);
}

TEST_F(UploadsTest, ThatArriveAtOnceNeverExceedTheQuota) {
  constexpr int kThreads = 8;
  Uploads uploads(folder(), 1000);
  std::latch start(kThreads);
  std::atomic<std::int64_t> bytes = 0;
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        for (int round = 0; round < 10; ++round) {
          const std::vector<std::string> pieces(3,
                                                std::string(static_cast<std::size_t>(10 + i), 'x'));
          const auto upload = uploads.Receive("a", Sending(pieces, round % 3 != 0), 0);
          if (upload.ok()) bytes += upload.value().bytes;
        }
      });
  }
  std::int64_t on_disk = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder()))
    if (entry.is_regular_file()) on_disk += static_cast<std::int64_t>(entry.file_size());
  EXPECT_EQ(on_disk, bytes);
  EXPECT_LE(on_disk, 1000);
  EXPECT_GT(on_disk, 0);
  // What is counted is what is there.
  const auto free = static_cast<std::size_t>(1000 - on_disk);
  EXPECT_FALSE(uploads.Receive("a", Sending({std::string(free + 1, 'x')}), 0).ok());
  EXPECT_TRUE(uploads.Receive("a", Sending({std::string(free, 'x')}), 0).ok());
}

TEST_F(UploadsTest, RemovedOnManyThreadsAreReleasedOnce) {
  for (int round = 0; round < 20; ++round) {
    fs::remove_all(folder());
    Uploads uploads(folder(), 100);
    const std::string reference =
        uploads.Receive("a", Sending({std::string(40, 'x')}), 0).value().reference;
    ASSERT_TRUE(uploads.Receive("b", Sending({std::string(40, 'x')}), 0).ok());
    std::latch start(8);
    std::vector<std::jthread> threads;
    for (int i = 0; i < 8; ++i)
      threads.emplace_back([&] {
        start.arrive_and_wait();
        uploads.Remove(reference);
      });
    threads.clear();
    ASSERT_FALSE(uploads.Receive("c", Sending({std::string(61, 'x')}), 0).ok());
    ASSERT_TRUE(uploads.Receive("c", Sending({std::string(60, 'x')}), 0).ok());
  }
}

}  // namespace
}  // namespace xsp::serve
