#include "answer/trace_formats/exported_tracks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/database.h"

namespace xsp::trace_formats {
namespace {

using testing::ElementsAre;

ExportedTracks Read(const std::string& values) {
  const auto database = store::Database::OpenEmpty();
  EXPECT_TRUE(database.ok());
  const auto filled = database.value().Query("INSERT INTO track VALUES " + values);
  EXPECT_TRUE(filled.ok()) << filled.error().what;
  auto tracks = ReadTracks(database.value());
  EXPECT_TRUE(tracks.ok()) << tracks.error().what;
  return std::move(tracks).value();
}

std::vector<std::string> Places(const ExportedTracks& all) {
  std::vector<std::string> places;
  for (const ExportedTrack& track : all.tracks)
    places.push_back(track.label + ": " + std::to_string(track.process) + "/" +
                     std::to_string(track.thread));
  return places;
}

// id, kind, name, process_id, thread_id, device, stream, rank, is_reference

TEST(ExportedTracks, KeepNumbersThatAreFree) {
  const ExportedTracks all = Read(
      "(1, 'thread', 'main', 100, 101, NULL, NULL, NULL, NULL), "
      "(2, 'stream', 'stream 7', NULL, NULL, 0, 7, NULL, NULL), "
      "(3, 'thread', 'loader', 100, 102, NULL, NULL, NULL, NULL)");
  EXPECT_THAT(Places(all),
              ElementsAre("main: 100/101", "stream 7: 1000000000/1000000000", "loader: 100/102"));
  ASSERT_EQ(all.processes.size(), 2u);
  EXPECT_EQ(all.processes[0].name, "process 100");
  EXPECT_EQ(all.processes[1].name, "GPU 0");
}

TEST(ExportedTracks, OfSeveralRanksDifferInNumbersAndLabels) {
  const ExportedTracks all = Read(
      "(1, 'thread', 'main', 100, 100, NULL, NULL, 0, NULL), "
      "(2, 'thread', 'main', 100, 100, NULL, NULL, 1, NULL), "
      "(3, 'host', '', 0, -5, NULL, NULL, NULL, NULL), "
      "(4, 'thread', 'far', 9999999999, 9999999999, NULL, NULL, NULL, NULL)");
  std::set<std::int32_t> processes, threads;
  std::set<std::string> labels;
  for (const ExportedTrack& track : all.tracks) {
    EXPECT_GT(track.process, 0);
    EXPECT_GT(track.thread, 0);
    processes.insert(track.process);
    threads.insert(track.thread);
    labels.insert(track.label);
  }
  EXPECT_EQ(processes.size(), 4u);
  EXPECT_EQ(threads.size(), 4u);
  EXPECT_EQ(labels, (std::set<std::string>{"main (track 1)", "main (track 2)", "track 3", "far"}));
  EXPECT_EQ(all.Get(2).process, all.processes[1].number);
  EXPECT_EQ(all.processes[1].name, "rank 1, process 100");
}

TEST(ExportedTracks, ContainTracksThatOnlySpansName) {
  const auto database = store::Database::OpenEmpty();
  ASSERT_TRUE(database.ok());
  ASSERT_TRUE(
      database.value()
          .Query("INSERT INTO span VALUES (1, 0, 'layer', 'op', 'x', 5, 0, 1, 'none', NULL, 0)")
          .ok());
  const auto all = ReadTracks(database.value());
  ASSERT_TRUE(all.ok()) << all.error().what;
  EXPECT_EQ(all.value().Get(5).label, "track 5");
  EXPECT_EQ(all.value().processes.front().name, "other tracks");
}

}  // namespace
}  // namespace xsp::trace_formats
