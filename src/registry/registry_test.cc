// Rules that every plugin keeps. A new importer or collector is checked here without being named.

#include "registry/registry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "collect/collector.h"
#include "importers/importer.h"
#include "monitor/sampler.h"
#include "source_dir.h"
#include "timeline/timeline.h"

namespace xsp::registry {
namespace {

namespace fs = std::filesystem;
using importers::Sniff;

std::string Slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class RegistryTest : public testing::Test {
 protected:
  RegistryTest() { fs::create_directories(folder_); }
  ~RegistryTest() override {
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
        fs::path(XSP_SOURCE_DIR) / "src" / "importers" / std::string(spec.name) / "sample";
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) samples.push_back(entry.path());
    std::sort(samples.begin(), samples.end());
    return samples;
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("registry_") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

bool IsSnakeCase(std::string_view name) {
  return !name.empty() && std::islower(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(), [](unsigned char c) {
           return std::islower(c) || std::isdigit(c) || c == '_';
         });
}

TEST_F(RegistryTest, ImportersHaveUniqueNamesAndHelp) {
  EXPECT_FALSE(AllImporters().empty());
  std::set<std::string_view> names, diagnostics;
  for (const ImporterSpec* spec : AllImporters()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    EXPECT_FALSE(spec->clock.empty());
    for (const auto& diagnostic : spec->diagnostics) {
      SCOPED_TRACE(diagnostic.name);
      EXPECT_TRUE(diagnostics.insert(diagnostic.name).second);
      EXPECT_TRUE(IsSnakeCase(diagnostic.name));
      EXPECT_TRUE(diagnostic.name.starts_with(std::string(spec->name) + "_"));
      EXPECT_TRUE(diagnostic.help.ends_with('.')) << "words that help";
    }
  }
}

TEST_F(RegistryTest, TimelinesHaveUniqueNamesAndSayNothingOfNothing) {
  EXPECT_FALSE(AllTimelines().empty());
  std::set<std::string_view> names;
  const trace::Trace empty;
  for (const TimelineSpec* spec : AllTimelines()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    timeline::ExperimentRows rows;
    spec->add_rows(timeline::Timeline(empty), rows);
    EXPECT_TRUE(rows.tables().empty());
  }
}

// A table is one plugin's, so that nothing is told twice.
TEST_F(RegistryTest, NoTableIsFilledByTwoTimelines) {
  for (const ImporterSpec* importer : AllImporters()) {
    for (const fs::path& sample : Samples(*importer)) {
      SCOPED_TRACE(sample.string());
      trace::Trace trace;
      ASSERT_TRUE(Import(*importer, sample, trace));
      const timeline::Timeline timeline(trace);
      std::set<std::string> filled;
      for (const TimelineSpec* spec : AllTimelines()) {
        timeline::ExperimentRows rows;
        spec->add_rows(timeline, rows);
        for (const auto& [table, ignored] : rows.tables())
          EXPECT_TRUE(filled.insert(table).second) << spec->name << ": " << table;
      }
    }
  }
}

TEST_F(RegistryTest, AnEmptyFileBelongsToNobody) {
  for (const ImporterSpec* spec : AllImporters()) {
    SCOPED_TRACE(spec->name);
    EXPECT_EQ(spec->sniff(""), Sniff::kNo);
    trace::Trace trace;
    Import(*spec, Write(""), trace);
    EXPECT_EQ(trace.spans.size(), 0u);
  }
}

TEST_F(RegistryTest, NoiseBelongsToNobodyAndGivesNoSpans) {
  std::mt19937 random(5);
  for (int round = 0; round < 8; ++round) {
    std::string noise(10'000, '\xff');
    if (round > 0) std::generate(noise.begin(), noise.end(), [&] { return char(random()); });
    for (const ImporterSpec* spec : AllImporters()) {
      SCOPED_TRACE(spec->name);
      EXPECT_EQ(spec->sniff(std::string_view(noise).substr(0, importers::kSniffBytes)), Sniff::kNo);
      trace::Trace trace;
      Import(*spec, Write(noise), trace);
      EXPECT_EQ(trace.spans.size(), 0u);
    }
  }
}

TEST_F(RegistryTest, AMissingFileAndAFolderAreErrors) {
  for (const ImporterSpec* spec : AllImporters()) {
    SCOPED_TRACE(spec->name);
    trace::Trace trace;
    EXPECT_FALSE(Import(*spec, folder_ / "missing", trace));
    EXPECT_FALSE(Import(*spec, folder_, trace));
  }
}

TEST_F(RegistryTest, EveryImporterReadsItsOwnSamples) {
  for (const ImporterSpec* spec : AllImporters()) {
    const auto samples = Samples(*spec);
    EXPECT_FALSE(samples.empty()) << "src/importers/" << spec->name << "/sample is empty";
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
TEST_F(RegistryTest, NoImporterClaimsAnothersSample) {
  for (const ImporterSpec* owner : AllImporters()) {
    for (const fs::path& sample : Samples(*owner)) {
      SCOPED_TRACE(sample.string());
      const std::string prefix = Slurp(sample).substr(0, importers::kSniffBytes);
      const Sniff own = owner->sniff(prefix);
      EXPECT_NE(own, Sniff::kNo);
      for (const ImporterSpec* other : AllImporters()) {
        if (other == owner) continue;
        EXPECT_LT(other->sniff(prefix), own) << other->name;
      }
    }
  }
}

TEST_F(RegistryTest, DamagedSamplesAreSurvived) {
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

TEST_F(RegistryTest, CollectorsHaveUniqueNamesAndExplainWhatIsMissing) {
  std::set<std::string_view> names;
  for (const CollectorSpec* spec : AllCollectors()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    std::set<std::string> keys;
    for (const collect::Fact& fact : spec->collect()) {
      EXPECT_TRUE(keys.insert(fact.key).second) << fact.key;
      EXPECT_TRUE(fact.key.starts_with(std::string(spec->name) + ".")) << fact.key;
      EXPECT_TRUE(!fact.value.empty() || !fact.why.empty()) << fact.key;
    }
  }
}

// On whatever machine this runs: what a sampler cannot show has a reason.
TEST_F(RegistryTest, SamplersHaveUniqueNamesAndExplainWhatIsMissing) {
  EXPECT_FALSE(AllSamplers().empty());
  const std::set<std::string> units = {"1", "byte", "byte/s", "watt", "Hz", "celsius"};
  std::set<std::string_view> names;
  std::set<std::pair<std::string, std::string>> channels;
  for (const SamplerSpec* spec : AllSamplers()) {
    SCOPED_TRACE(spec->name);
    EXPECT_TRUE(names.insert(spec->name).second);
    EXPECT_TRUE(IsSnakeCase(spec->name));
    EXPECT_FALSE(spec->summary.empty() || spec->summary.ends_with('.'));
    for (const collect::MachineFiles& files :
         {collect::MachineFiles(), collect::MachineFiles(folder_ / "nothing")}) {
      const auto sampler = spec->open(files);
      EXPECT_FALSE(sampler->channels().empty() && sampler->hidden().empty());
      for (const auto& hidden : sampler->hidden()) {
        EXPECT_TRUE((hidden.name + ".").starts_with(std::string(spec->name) + ".")) << hidden.name;
        EXPECT_FALSE(hidden.why.empty()) << hidden.name;
      }
      std::vector<double> values(sampler->channels().size(), monitor::kUnknown);
      sampler->Sample(1, values);
    }
    const auto here = spec->open(collect::MachineFiles());
    for (const monitor::Channel& channel : here->channels()) {
      EXPECT_TRUE(channel.name.starts_with(std::string(spec->name) + ".")) << channel.name;
      EXPECT_TRUE(units.contains(channel.unit)) << channel.name << ": " << channel.unit;
      EXPECT_TRUE(channels.emplace(channel.name, channel.part).second) << channel.name;
    }
  }
}

}  // namespace
}  // namespace xsp::registry
