// Rules that every importer keeps. A new one is checked here without being named.

#include "ingest/importers/importer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "core/snake_case_testing.h"
#include "ingest/importers/importer_testing.h"
#include "source_dir.h"

namespace xsp::importers {
namespace {

namespace fs = std::filesystem;

std::string Slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class EveryImporterTest : public testing::Test {
 protected:
  EveryImporterTest() { fs::create_directories(folder_); }
  ~EveryImporterTest() override {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }

  fs::path Write(std::string_view bytes) {
    const fs::path path = folder_ / "input";
    std::ofstream(path, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return path;
  }

  // Imports into `trace`; whatever comes of it, the trace must hold together.
  static bool Import(const ImporterSpec& spec, const fs::path& path, trace::Trace& trace,
                     std::size_t chunk_bytes = kReadBytes) {
    const Status status = ImportAll(spec, {{path, chunk_bytes}}, trace);
    if (!status.ok()) {
      EXPECT_FALSE(status.error().what.empty());
      EXPECT_NE(status.error().kind, ErrorKind::kInternal) << status.error().what;
      EXPECT_EQ(trace.spans.size() + trace.counters.size() + trace.marks.size(), 0u)
          << "a file that is refused leaves nothing behind";
    }
    for (const auto& [name, diagnostic] : trace.diagnostics) {
      const bool is_declared =
          std::any_of(spec.diagnostics.begin(), spec.diagnostics.end(),
                      [&, &diagnosed = name, kind = diagnostic.kind](const auto& declared) {
                        return declared.name == diagnosed && declared.kind == kind;
                      });
      EXPECT_TRUE(is_declared || name.starts_with("writer_")) << name;
      EXPECT_GT(diagnostic.count, 0) << name;
      EXPECT_FALSE(diagnostic.hint.empty()) << name;
    }
    return status.ok();
  }

  /// Spans, counters and marks as one text.
  static std::string Print(const trace::Trace& trace) {
    std::string out;
    const auto put = [&](auto... values) { ((out += testing::PrintToString(values) + " "), ...); };
    for (std::size_t i = 0; i < trace.spans.size(); ++i)
      put(int(trace.spans.level[i]), trace.Text(trace.spans.name[i]), trace.spans.track[i],
          trace.spans.start_ns[i], trace.spans.duration_ns[i], trace.spans.parent[i], "\n");
    for (std::size_t i = 0; i < trace.counters.size(); ++i)
      put(trace.counters.track[i], trace.Text(trace.counters.name[i]), trace.counters.time_ns[i],
          trace.counters.value[i], "\n");
    for (const auto& mark : trace.marks) put(mark.track, mark.time_ns, trace.Text(mark.name), "\n");
    for (const auto& [name, d] : trace.diagnostics) put(name, d.count, d.example, "\n");
    return out;
  }

  static std::vector<fs::path> Samples(const ImporterSpec& spec) {
    std::vector<fs::path> samples;
    const fs::path folder =
        fs::path(XSP_SOURCE_DIR) / "src/ingest/importers" / std::string(spec.name) / "sample";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) samples.push_back(entry.path());
    std::sort(samples.begin(), samples.end());
    return samples;
  }

  const fs::path folder_ = fs::path(testing::TempDir()) /
                           (std::string("every_importer_") +
                            testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(EveryImporterTest, HasAUniqueNameAndHelp) {
  EXPECT_FALSE(AllImporters().empty());
  std::set<std::string_view> names, diagnostics;
  for (const ImporterSpec* spec : AllImporters()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(core::IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    const auto declares = [&](const DiagnosticSpec* which) {
      return which == nullptr ||
             std::any_of(spec->diagnostics.begin(), spec->diagnostics.end(),
                         [&](const auto& declared) { return declared.name == which->name; });
    };
    EXPECT_TRUE(declares(spec->unreadable_file));
    EXPECT_TRUE(declares(spec->assumed_start));
    for (const auto& diagnostic : spec->diagnostics) {
      SCOPED_TRACE(diagnostic.name);
      EXPECT_TRUE(diagnostics.insert(diagnostic.name).second);
      EXPECT_TRUE(core::IsSnakeCase(diagnostic.name));
      EXPECT_TRUE(diagnostic.name.starts_with(std::string(spec->name) + "_"));
      EXPECT_TRUE(diagnostic.help.ends_with('.')) << "words that help";
    }
    std::set<std::string_view> levels;
    for (const LevelHint& hint : spec->hints) {
      SCOPED_TRACE(hint.level);
      EXPECT_TRUE(levels.insert(hint.level).second);
      EXPECT_TRUE(hint.text.ends_with('.')) << "a sentence";
    }
  }
}

TEST_F(EveryImporterTest, LeavesAnEmptyFileAlone) {
  for (const ImporterSpec* spec : AllImporters()) {
    SCOPED_TRACE(spec->name);
    EXPECT_EQ(spec->sniff(SniffInput("")), Sniff::kNo);
    trace::Trace trace;
    Import(*spec, Write(""), trace);
    EXPECT_EQ(trace.spans.size(), 0u);
  }
}

TEST_F(EveryImporterTest, LeavesNoiseAloneAndMakesNoSpansOfIt) {
  std::mt19937 random(5);
  for (int round = 0; round < 8; ++round) {
    std::string noise(10'000, '\xff');
    if (round > 0) std::generate(noise.begin(), noise.end(), [&] { return char(random()); });
    for (const ImporterSpec* spec : AllImporters()) {
      SCOPED_TRACE(spec->name);
      EXPECT_EQ(spec->sniff(SniffInput(std::string_view(noise).substr(0, kSniffBytes))),
                Sniff::kNo);
      trace::Trace trace;
      Import(*spec, Write(noise), trace);
      EXPECT_EQ(trace.spans.size(), 0u);
    }
  }
}

TEST_F(EveryImporterTest, RefusesAMissingFileAndAFolder) {
  for (const ImporterSpec* spec : AllImporters()) {
    SCOPED_TRACE(spec->name);
    trace::Trace trace;
    EXPECT_FALSE(Import(*spec, folder_ / "missing", trace));
    EXPECT_FALSE(Import(*spec, folder_, trace));
  }
}

TEST_F(EveryImporterTest, ReadsItsOwnSamples) {
  for (const ImporterSpec* spec : AllImporters()) {
    const auto samples = Samples(*spec);
    EXPECT_FALSE(samples.empty()) << "src/ingest/importers/" << spec->name << "/sample is empty";
    for (const fs::path& sample : samples) {
      SCOPED_TRACE(sample.string());
      trace::Trace trace;
      EXPECT_TRUE(Import(*spec, sample, trace));
      EXPECT_GT(trace.spans.size() + trace.counters.size(), 0u);
      EXPECT_FALSE(trace.tracks.empty());
    }
  }
}

TEST_F(EveryImporterTest, ReadsTheSameInAnyChunks) {
  std::mt19937 random(7);
  for (const ImporterSpec* spec : AllImporters()) {
    for (const fs::path& sample : Samples(*spec)) {
      SCOPED_TRACE(sample.string());
      const std::string whole = Slurp(sample);
      for (int round = 0; round < 10; ++round) {
        std::string bytes = whole;
        if (round > 0) bytes[random() % bytes.size()] = static_cast<char>(random());
        const fs::path file = Write(bytes);
        trace::Trace expected;
        const bool is_read = Import(*spec, file, expected);
        for (const std::size_t chunk_bytes : {1, 7, 100}) {
          trace::Trace trace;
          EXPECT_EQ(Import(*spec, file, trace, chunk_bytes), is_read);
          EXPECT_EQ(Print(trace), Print(expected)) << chunk_bytes << " bytes at a time";
        }
      }
    }
  }
}

// A file gives the same rows wherever it stands among others, and cannot name what is theirs.
TEST_F(EveryImporterTest, AFileIsASourceOfItsOwn) {
  for (const ImporterSpec* spec : AllImporters()) {
    for (const fs::path& sample : Samples(*spec)) {
      SCOPED_TRACE(sample.string());
      trace::Trace alone, twice;
      ASSERT_TRUE(ImportAll(*spec, {{sample}}, alone).ok());
      ASSERT_TRUE(ImportAll(*spec, {{sample}, {sample}}, twice).ok());
      ASSERT_EQ(twice.spans.size(), 2 * alone.spans.size());
      EXPECT_EQ(twice.tracks.size(), 2 * alone.tracks.size());
      EXPECT_EQ(twice.counters.size(), 2 * alone.counters.size());
      const auto spans = static_cast<trace::SpanId>(alone.spans.size());
      const auto tracks = static_cast<trace::TrackId>(alone.tracks.size());
      for (std::size_t i = 0; i < spans; ++i) {
        const std::size_t again = i + spans;
        EXPECT_EQ(twice.spans.start_ns[again], alone.spans.start_ns[i]);
        EXPECT_EQ(twice.spans.track[again], alone.spans.track[i] + tracks);
        const trace::SpanId parent = alone.spans.parent[i];
        EXPECT_EQ(twice.spans.parent[again], parent == 0 ? 0 : parent + spans);
        const std::int64_t id = alone.spans.correlation_id[i];
        EXPECT_EQ(twice.spans.correlation_id[again],
                  id == 0 ? 0 : id + trace::kCorrelationIdsOfASource);
      }
    }
  }
}

// Whoever asks all importers finds one that is surer than the others, and it is the right one.
TEST_F(EveryImporterTest, ClaimsNoSampleOfAnother) {
  for (const ImporterSpec* owner : AllImporters()) {
    for (const fs::path& sample : Samples(*owner)) {
      SCOPED_TRACE(sample.string());
      const std::string prefix = Slurp(sample).substr(0, kSniffBytes);
      const SniffInput input(prefix, sample);
      const Sniff own = owner->sniff(input);
      EXPECT_NE(own, Sniff::kNo);
      for (const ImporterSpec* other : AllImporters()) {
        if (other == owner) continue;
        EXPECT_LT(other->sniff(input), own) << other->name;
      }
    }
  }
}

TEST_F(EveryImporterTest, SurvivesDamagedSamples) {
  std::mt19937 random(6);
  for (const ImporterSpec* spec : AllImporters()) {
    for (const fs::path& sample : Samples(*spec)) {
      SCOPED_TRACE(sample.string());
      const std::string whole = Slurp(sample);
      for (int round = 0; round < 40; ++round) {
        std::string bytes = whole.substr(0, whole.size() - random() % (whole.size() / 2 + 1));
        for (int hit = 0; round % 2 == 1 && hit < 10 && !bytes.empty(); ++hit) {
          bytes[random() % bytes.size()] = static_cast<char>(random());
        }
        trace::Trace trace;
        Import(*spec, Write(bytes), trace);
      }
    }
  }
}

}  // namespace
}  // namespace xsp::importers
