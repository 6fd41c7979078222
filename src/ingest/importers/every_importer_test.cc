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
  static bool Import(const ImporterSpec& spec, const fs::path& path, trace::Trace& trace) {
    trace::TraceWriter writer(trace);
    const Status status = spec.import({{path}}, writer);
    if (!status.ok()) {
      EXPECT_FALSE(status.error().what.empty());
      EXPECT_NE(status.error().kind, ErrorKind::kInternal) << status.error().what;
    }
    for (const auto& [name, diagnostic] : trace.diagnostics) {
      const bool is_declared = std::any_of(
          spec.diagnostics.begin(), spec.diagnostics.end(),
          [&, &diagnosed = name](const auto& declared) { return declared.name == diagnosed; });
      EXPECT_TRUE(is_declared || name.starts_with("writer_")) << name;
      EXPECT_GT(diagnostic.count, 0) << name;
      EXPECT_FALSE(diagnostic.hint.empty()) << name;
    }
    return status.ok();
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
    EXPECT_FALSE(spec->clock.empty());
    for (const auto& diagnostic : spec->diagnostics) {
      SCOPED_TRACE(diagnostic.name);
      EXPECT_TRUE(diagnostics.insert(diagnostic.name).second);
      EXPECT_TRUE(core::IsSnakeCase(diagnostic.name));
      EXPECT_TRUE(diagnostic.name.starts_with(std::string(spec->name) + "_"));
      EXPECT_TRUE(diagnostic.help.ends_with('.')) << "words that help";
    }
  }
}

TEST_F(EveryImporterTest, LeavesAnEmptyFileAlone) {
  for (const ImporterSpec* spec : AllImporters()) {
    SCOPED_TRACE(spec->name);
    EXPECT_EQ(spec->sniff(""), Sniff::kNo);
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
      EXPECT_EQ(spec->sniff(std::string_view(noise).substr(0, kSniffBytes)), Sniff::kNo);
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

// Whoever asks all importers finds one that is surer than the others, and it is the right one.
TEST_F(EveryImporterTest, ClaimsNoSampleOfAnother) {
  for (const ImporterSpec* owner : AllImporters()) {
    for (const fs::path& sample : Samples(*owner)) {
      SCOPED_TRACE(sample.string());
      const std::string prefix = Slurp(sample).substr(0, kSniffBytes);
      const Sniff own = owner->sniff(prefix);
      EXPECT_NE(own, Sniff::kNo);
      for (const ImporterSpec* other : AllImporters()) {
        if (other == owner) continue;
        EXPECT_LT(other->sniff(prefix), own) << other->name;
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
