#include "store/experiment_writer.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/wait.h>

#include <fstream>
#include <thread>

#include "os/files.h"
#include "store/catalogue.h"
#include "store/database.h"
#include "store/duckdb_connection.h"
#include "store/rows/sample_row.h"
#include "store/run_reader.h"
#include "store/schema.h"
#include "store/staging_folder.h"
#include "store/store_testing.h"

namespace xsp::store {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::vector<std::string> Names(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// An experiment of one run; returns its path.
fs::path WriteExperiment(const fs::path& store, std::string_view name, const trace::Trace& trace) {
  auto writer = ExperimentWriter::Create(store, name);
  EXPECT_TRUE(writer.ok()) << writer.error().what;
  const auto added = writer.value().AddRun("run-1", trace, R"({"rung": "layer"})");
  EXPECT_TRUE(added.ok()) << added.error().what;
  const auto path = writer.value().Commit("{}");
  EXPECT_TRUE(path.ok()) << path.error().what;
  return path.value();
}

std::vector<std::string> Rows(const trace::Trace& trace) {
  std::vector<std::string> rows;
  const auto& s = trace.spans;
  const auto text = [&](trace::StringId id) { return std::string(trace.Text(id)); };
  for (std::size_t i = 0; i < s.size(); ++i) {
    rows.push_back(testing::PrintToString(std::make_tuple(
        s.parent[i], ToString(s.level[i]), ToString(s.placed_by[i]), s.track[i], text(s.type[i]),
        text(s.name[i]), s.start_ns[i], s.duration_ns[i], s.correlation_id[i])));
  }
  for (const auto& t : trace.tracks) {
    rows.push_back(testing::PrintToString(
        std::make_tuple(ToString(t.kind), t.name, t.process_id, t.thread_id, t.device, t.stream)));
  }
  const auto& m = trace.metrics;
  for (std::size_t i = 0; i < m.size(); ++i) {
    rows.push_back(testing::PrintToString(std::make_tuple(
        m.span[i], text(m.name[i]), text(m.unit[i]), text(m.provenance[i]), m.value[i])));
  }
  const auto& a = trace.attributes;
  for (std::size_t i = 0; i < a.size(); ++i) {
    rows.push_back(
        testing::PrintToString(std::make_tuple(a.span[i], text(a.key[i]), text(a.value[i]))));
  }
  const auto& c = trace.counters;
  for (std::size_t i = 0; i < c.size(); ++i) {
    rows.push_back(testing::PrintToString(
        std::make_tuple(c.track[i], text(c.name[i]), text(c.unit[i]), c.time_ns[i], c.value[i])));
  }
  for (const auto& mark : trace.marks) {
    rows.push_back(
        testing::PrintToString(std::make_tuple(mark.track, mark.time_ns, text(mark.name))));
  }
  for (const auto& link : trace.links) {
    rows.push_back(
        testing::PrintToString(std::make_tuple(link.from, link.to, ToString(link.kind))));
  }
  for (const auto& [name, d] : trace.diagnostics) {
    rows.push_back(testing::PrintToString(
        std::make_tuple(name, d.count, d.example, d.hint, ToString(d.kind))));
  }
  rows.push_back(testing::PrintToString(trace.facts));
  rows.push_back(trace.clock_origin == trace::ClockOrigin::kEpoch ? "epoch" : "source");
  return rows;
}

TEST(ExperimentWriter, KeepsEveryRowOfARun) {
  for (std::uint32_t seed = 1; seed <= 6; ++seed) {
    const TestFolder store;
    // More than one chunk of 2048 rows, a whole number of chunks, and next to nothing.
    const trace::Trace trace =
        RandomTrace(seed, std::array{5000, 2048, 4096, 1, 0, 777}.at(seed - 1));
    const fs::path path = WriteExperiment(store.path(), "x", trace);
    const auto reader = RunReader::Create();
    ASSERT_TRUE(reader.ok());
    const auto read = reader.value().Read(path / "run-1");
    ASSERT_TRUE(read.ok()) << read.error().what;
    const auto expected = Rows(trace), actual = Rows(read.value());
    ASSERT_EQ(actual.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_EQ(actual[i], expected[i]) << i;
  }
}

TEST(ExperimentWriter, StoresWhatIsUnknownAsNull) {
  const TestFolder store;
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({trace::TrackKind::kThread, "t"});
  writer.AddSpan({trace::Level::kLayer, "conv2d", "conv2d", track, 10});
  writer.AddSpan({trace::Level::kLayer, "conv2d", "conv2d", track, 10, 0, 0, 5});
  const fs::path path = WriteExperiment(store.path(), "x", trace);
  const auto db = Database::Open({path});
  ASSERT_TRUE(db.ok()) << db.error().what;
  const auto spans = db.value().Query(
      "SELECT duration_ns, correlation_id, process_id FROM span, track ORDER BY span.id");
  ASSERT_TRUE(spans.ok()) << spans.error().what;
  const Cell null;
  EXPECT_THAT(spans.value().rows,
              ElementsAre(std::vector<Cell>{null, null, null},
                          std::vector<Cell>{std::int64_t{0}, std::int64_t{5}, null}));
}

TEST(ExperimentWriter, ReplacesBytesThatAreNoText) {
  const TestFolder store;
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto track = writer.AddTrack({trace::TrackKind::kThread, "\xC0\xAF"});
  writer.AddSpan({trace::Level::kLayer, "x",
                  "a\xFF"
                  "b",
                  track, 0, 1});
  writer.SetFact("model", "\xED\xA0\x80");
  const fs::path path = WriteExperiment(store.path(), "x", trace);
  const auto db = Database::Open({path});
  ASSERT_TRUE(db.ok()) << db.error().what;
  const auto rows = db.value().Query("SELECT span.name, track.name FROM span, track");
  ASSERT_TRUE(rows.ok()) << rows.error().what;
  EXPECT_EQ(std::get<std::string>(rows.value().rows[0][0]),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(std::get<std::string>(rows.value().rows[0][1]), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(ExperimentWriter, WritesTheColumnsOfTheSchema) {
  const TestFolder store;
  const fs::path path = WriteExperiment(store.path(), "x", RandomTrace(1, 10));
  const auto db = Database::Open({path / "run-1"});
  ASSERT_TRUE(db.ok()) << db.error().what;
  for (const TableSchema& table : Schema()) {
    if (!table.raw) continue;
    ASSERT_TRUE(fs::exists(path / "run-1" / (table.name + ".parquet"))) << table.name;
    const auto described = db.value().Query("DESCRIBE " + table.name);
    ASSERT_TRUE(described.ok()) << described.error().what;
    ASSERT_EQ(described.value().rows.size(), table.columns.size()) << table.name;
    for (std::size_t i = 0; i < table.columns.size(); ++i) {
      EXPECT_EQ(std::get<std::string>(described.value().rows[i][0]), table.columns[i].name);
      EXPECT_EQ(std::get<std::string>(described.value().rows[i][1]), table.columns[i].type);
    }
  }
}

TEST(ExperimentWriter, LeavesNothingWithoutCommit) {
  const TestFolder store;
  {
    auto writer = ExperimentWriter::Create(store.path(), "x");
    ASSERT_TRUE(writer.ok());
    ASSERT_TRUE(writer.value().AddRun("run-1", RandomTrace(1, 10), "{}").ok());
    EXPECT_THAT(Names(store.path()), Not(IsEmpty()));
    EXPECT_THAT(List(store.path()).value(), IsEmpty());
  }
  EXPECT_THAT(Names(store.path()), IsEmpty());
}

TEST(ExperimentWriter, MakesTakenNamesUnique) {
  const TestFolder store;
  const trace::Trace trace = RandomTrace(1, 5);
  EXPECT_EQ(WriteExperiment(store.path(), "resnet50", trace).filename(), "resnet50");
  EXPECT_EQ(WriteExperiment(store.path(), "resnet50", trace).filename(), "resnet50-2");
  EXPECT_EQ(WriteExperiment(store.path(), "resnet50", trace).filename(), "resnet50-3");
  EXPECT_EQ(WriteExperiment(store.path(), "../a b", trace).filename(), "a-b");
}

TEST(ExperimentWriter, LetsManyWriteAtOnce) {
  const TestFolder store;
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] { WriteExperiment(store.path(), "same", RandomTrace(i, 300)); });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(Names(store.path()), ElementsAre("same", "same-2", "same-3", "same-4"));
  const auto entries = List(store.path());
  ASSERT_TRUE(entries.ok());
  for (const auto& entry : entries.value()) {
    EXPECT_TRUE(Database::Open({entry.path}).ok()) << entry.name;
  }
}

TEST(ExperimentWriter, CleansUpAfterADeadWriterOnly) {
  const TestFolder store;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    fs::create_directories(store.path() / TemporaryName("dead") / "run-1");
    _exit(0);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  fs::create_directories(store.path() / TemporaryName("alive"));
  fs::create_directories(store.path() / ".other.tmp-elsewhere-999999999-0");
  fs::create_directories(store.path() / ".hidden");
  ASSERT_EQ(Names(store.path()).size(), 4u);
  EXPECT_THAT(List(store.path()).value(), IsEmpty());
  WriteExperiment(store.path(), "x", RandomTrace(1, 5));
  EXPECT_THAT(Names(store.path()),
              ElementsAre(HasSubstr(".alive"), ".hidden", HasSubstr(".other"), "x"));
}

TEST(ExperimentWriter, SaysThatTheStoreIsNotWritable) {
  // /proc refuses new folders to everyone, root included.
  const auto writer = ExperimentWriter::Create("/proc/xsp-store", "x");
  ASSERT_FALSE(writer.ok());
  EXPECT_EQ(writer.error().kind, ErrorKind::kEnvironment);
  EXPECT_THAT(writer.error().what, HasSubstr("/proc/xsp-store"));
  EXPECT_THAT(writer.error().hint, HasSubstr("--store"));
}

TEST(ExperimentWriter, KeepsEarlierRunsWhenTheDiskIsFull) {
  const TestFolder store;
  if (mount("tmpfs", store.path().c_str(), "tmpfs", 0, "size=512k") != 0) {
    GTEST_SKIP() << "mounting a small tmpfs is not permitted here";
  }
  const fs::path earlier = WriteExperiment(store.path(), "earlier", RandomTrace(1, 20));
  {
    auto writer = ExperimentWriter::Create(store.path(), "big");
    ASSERT_TRUE(writer.ok()) << writer.error().what;
    const auto added = writer.value().AddRun("run-1", RandomTrace(2, 60000), "{}");
    ASSERT_FALSE(added.ok());
    EXPECT_EQ(added.error().kind, ErrorKind::kEnvironment);
    EXPECT_THAT(added.error().hint, HasSubstr("--store"));
  }
  EXPECT_THAT(Names(store.path()), ElementsAre("earlier"));
  EXPECT_TRUE(Database::Open({earlier}).ok());
  umount(store.path().c_str());
}

TEST(ExperimentWriter, KeepsAttachmentsOfOneNameApart) {
  const TestFolder store;
  fs::create_directories(store.path() / "in" / "a");
  std::ofstream(store.path() / "in" / "t.json") << "1";
  std::ofstream(store.path() / "in" / "a" / "t.json") << "2";
  auto writer = ExperimentWriter::Create(store.path() / "store", "x");
  ASSERT_TRUE(writer.ok());
  ASSERT_TRUE(writer.value().AddRun("run-1", RandomTrace(1, 5), "{}").ok());
  ASSERT_TRUE(writer.value().Attach("run-1", store.path() / "in" / "t.json").ok());
  ASSERT_TRUE(writer.value().Attach("run-1", store.path() / "in" / "a" / "t.json").ok());
  EXPECT_EQ(writer.value().Attach("run-1", store.path() / "none").error().kind,
            ErrorKind::kBadInput);
  const auto path = writer.value().Commit("{}");
  ASSERT_TRUE(path.ok());
  EXPECT_THAT(Names(path.value() / "run-1" / "attachments"), ElementsAre("t-2.json", "t.json"));
}

TEST(ExperimentWriter, ARunWrittenInTheBackgroundIsTheRunThatAddRunWrites) {
  const TestFolder store;
  const trace::Trace trace = RandomTrace(5, 30000);
  auto writer = ExperimentWriter::Create(store.path(), "background");
  ASSERT_TRUE(writer.ok());
  {
    const auto run = writer.value().StartRun("run-1", trace, R"({"rung": "layer"})");
    ASSERT_TRUE(run.ok()) << run.error().what;
    EXPECT_TRUE(writer.value().AddRows(std::vector<SampleRow>()).ok());
    const auto finished = run.value()->Finish();
    ASSERT_TRUE(finished.ok()) << finished.error().what;
  }
  const auto path = writer.value().Commit("{}");
  ASSERT_TRUE(path.ok());
  const auto reader = RunReader::Create();
  const fs::path added = WriteExperiment(store.path(), "added", trace);
  EXPECT_EQ(Names(path.value() / "run-1"), Names(added / "run-1"));
  EXPECT_EQ(Rows(reader.value().Read(path.value() / "run-1").value()), Rows(trace));
}

TEST(ExperimentWriter, KeepsAnyNumberOfDistinctStrings) {
  const TestFolder store;
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack({trace::TrackKind::kThread, "thread"});
  // More than are handed over as a set, in more than one chunk; some long.
  for (int i = 0; i < 40000; ++i) {
    const std::string name = "name " + std::to_string(i % 30000) + std::string(i % 7 * 5, '.');
    writer.AddSpan({trace::Level::kLayer, "type" + std::to_string(i % 300), name, 1, i, 1});
  }
  for (int i = 0; i < 40000; ++i) writer.AddMark(1, i, "mark " + std::to_string(i % 20000));
  const fs::path path = WriteExperiment(store.path(), "many", trace);
  EXPECT_EQ(Rows(RunReader::Create().value().Read(path / "run-1").value()), Rows(trace));
  // By another thread.
  auto background = ExperimentWriter::Create(store.path(), "background");
  const auto run = background.value().StartRun("run-1", trace, "{}");
  ASSERT_TRUE(run.ok() && run.value()->Finish().ok());
  const auto other = background.value().Commit("{}");
  EXPECT_EQ(Rows(RunReader::Create().value().Read(other.value() / "run-1").value()), Rows(trace));
}

TEST(ExperimentWriter, StringsThatAreOneWhenMadeCleanAreStoredAlike) {
  const TestFolder store;
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  writer.AddTrack({trace::TrackKind::kThread, "thread"});
  for (const std::string_view name : {"a\xff", "a\xfe", "a\xef\xbf\xbd", "b"})
    writer.AddSpan({trace::Level::kLayer, "type", name, 1, 0, 1});
  const fs::path path = WriteExperiment(store.path(), "unclean", trace);
  const trace::Trace read = RunReader::Create().value().Read(path / "run-1").value();
  std::vector<std::string> names;
  for (const trace::StringId name : read.spans.name) names.emplace_back(read.Text(name));
  EXPECT_THAT(names, ElementsAre("a\xef\xbf\xbd", "a\xef\xbf\xbd", "a\xef\xbf\xbd", "b"));
}

TEST(ExperimentWriter, APendingRunThatIsGivenUpLeavesNothing) {
  const TestFolder store;
  const trace::Trace trace = RandomTrace(6, 30000);
  {
    auto writer = ExperimentWriter::Create(store.path(), "given up");
    const auto run = writer.value().StartRun("run-1", trace, "{}");
    ASSERT_TRUE(run.ok());
  }
  EXPECT_THAT(Names(store.path()), IsEmpty());
}

TEST(ExperimentWriter, ArgumentsThatStreamAreTheArgumentsOfTheRun) {
  const TestFolder store;
  auto writer = ExperimentWriter::Create(store.path(), "streamed");
  trace::Trace trace;
  std::vector<std::string> expected;
  {
    auto arguments = writer.value().StreamArguments("run-1");
    ASSERT_TRUE(arguments.ok()) << arguments.error().what;
    trace::TraceWriter into(trace, arguments.value().get());
    into.AddTrack({trace::TrackKind::kThread, "thread"});
    // More than all batches of the stream hold.
    for (int i = 0; i < 50000; ++i) {
      const auto span = into.AddSpan({trace::Level::kLayer, "t", "n", 1, i, 1});
      if (i % 3 == 0) continue;
      const std::string pad(static_cast<std::size_t>(i % 200), 'x');
      into.AddArguments(span,
                        fmt::format("{{ \"id\": {},\n  \"a b\": \"{} gr\xc3\xb6\"}}", i, pad));
      expected.push_back(fmt::format("{}: {{\"id\":{},\"a b\":\"{} grö\"}}", span, i, pad));
    }
    const auto finished = arguments.value()->Finish();
    ASSERT_TRUE(finished.ok()) << finished.error().what;
  }
  EXPECT_EQ(trace.arguments.size(), 0u);
  ASSERT_TRUE(writer.value().AddRun("run-1", trace, "{}").ok());
  const auto path = writer.value().Commit("{}");
  const trace::Trace read = RunReader::Create().value().Read(path.value() / "run-1").value();
  std::vector<std::string> found;
  trace::ArgumentTable::Cursor cursor(read.arguments);
  std::string text;
  for (std::size_t row = 0; row < read.arguments.size(); ++row) {
    cursor.Next(read.strings, text);
    found.push_back(fmt::format("{}: {}", read.arguments.span(row), text));
  }
  EXPECT_EQ(found, expected);
}

TEST(ArgumentStream, AFileThatCannotBeWrittenIsAnErrorAndNobodyWaits) {
  ArgumentStream arguments(DuckDb::Open(1).value(), "/proc/no such folder/argument.parquet");
  for (trace::SpanId span = 1; span < 100000; ++span)
    arguments.Add(span, "{\"a\": \"" + std::string(100, 'x') + "\"}");
  const auto finished = arguments.Finish();
  ASSERT_FALSE(finished.ok());
  EXPECT_EQ(finished.error().kind, ErrorKind::kEnvironment);
}

}  // namespace
}  // namespace xsp::store
