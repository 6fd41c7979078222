// Traces of every format, written ones and real ones, corrupted at random places: whatever comes of
// it, nothing crashes, and what is imported holds together up to the tables of the timeline.
// XSP_CORRUPTIONS: how many (default 100). With the reference data beside the checkout real traces
// are corrupted, too.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "derive/experiments/timeline_rows.h"
#include "ingest/importers/byte_stream.h"
#include "ingest/importers/importer.h"
#include "ingest/trace_files/trace_loader.h"
#include "source_dir.h"

namespace xsp::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargest = 24 << 20;

struct Sample {
  std::string format;
  std::string bytes;
};

/// All files in `folder` and below, unpacked.
void AddSamples(const fs::path& folder, std::string_view format, std::vector<Sample>& samples) {
  std::error_code error;
  for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
    if (!entry.is_regular_file()) continue;
    auto bytes = importers::ReadPrefix(entry.path(), kLargest);
    if (bytes.ok() && !bytes.value().empty())
      samples.push_back({std::string(format), std::move(bytes).value()});
  }
}

std::vector<Sample> Samples() {
  const fs::path root = XSP_SOURCE_DIR;
  std::vector<Sample> samples;
  for (const ImporterSpec* spec : importers::AllImporters())
    AddSamples(root / "src/ingest/importers" / spec->name / "sample", spec->name, samples);
  const char* given = std::getenv("XSP_REFERENCE_DATA");
  const fs::path reference =
      given != nullptr ? fs::path(given) : root.parent_path() / "shared/data";
  // What else lies in these folders (answers of other tools) is noise to the importer, and welcome.
  for (const char* folder :
       {"D01_hta_simple_add_critical_path", "D02_hta_nccl_2rank_rank0",
        "D03_hta_sampled_ranks_0_1_of_128", "D04_hta_cupti_profiler_counters",
        "D05_kineto_tb_resnet50_old_schema", "D06_tracelens_h100_vs_mi300/h100",
        "D06_tracelens_h100_vs_mi300/mi300", "D15_malformed", "D17_graph_replay_sglang"})
    AddSamples(reference / "traces" / folder, "kineto", samples);
  std::erase_if(samples, [](const Sample& sample) {
    return sample.format == "kineto" && sample.bytes.find("traceEvents") == std::string::npos;
  });
  return samples;
}

/// Changes one place of `text`: a byte, a bit, a segment that is lost, repeated or overwritten, or
/// everything behind it.
void Corrupt(std::string& text, std::mt19937_64& random) {
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  const std::size_t at = below(text.size());
  const std::size_t length = std::min<std::size_t>(1 + below(200), text.size() - at);
  switch (below(7)) {
    case 0:
      text[at] = static_cast<char>(random());
      break;
    case 1:
      text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
      break;
    case 2:
      text.erase(at, length);
      break;
    case 3:
      text.insert(at, text.substr(at, length));
      break;
    case 4:
      for (std::size_t i = 0; i < length; ++i) text[at + i] = static_cast<char>(random());
      break;
    case 5:
      text.replace(at, 1, std::string(1, "{}[]\",:\\0-e"[below(11)]));
      break;
    default:
      if (below(10) == 0) text.resize(at);
  }
}

/// Every row refers to rows that are there, and no chain of parents is a circle.
void ExpectSound(const trace::Trace& trace) {
  const trace::SpanTable& spans = trace.spans;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    ASSERT_LE(spans.parent[i], spans.size());
    ASSERT_TRUE(spans.track[i] >= 1 && spans.track[i] <= trace.tracks.size());
    ASSERT_LT(spans.name[i], trace.strings.size());
    ASSERT_LT(spans.type[i], trace.strings.size());
    ASSERT_GE(spans.duration_ns[i], trace::kNeverEnded);
  }
  std::vector<std::uint8_t> seen(spans.size() + 1, 0);  // 1: on this chain, 2: ends at a root.
  for (trace::SpanId first = 1; first <= spans.size(); ++first) {
    trace::SpanId at = first;
    for (; at != 0 && seen[at] == 0; at = spans.parent[at - 1]) seen[at] = 1;
    ASSERT_TRUE(at == 0 || seen[at] == 2) << "a circle of parents";
    for (at = first; at != 0 && seen[at] == 1; at = spans.parent[at - 1]) seen[at] = 2;
  }
  for (std::size_t i = 0; i < trace.metrics.size(); ++i)
    ASSERT_TRUE(trace.metrics.span[i] >= 1 && trace.metrics.span[i] <= spans.size());
  for (const trace::Link& link : trace.links)
    ASSERT_TRUE(link.from >= 1 && link.to >= 1 && link.from <= spans.size() &&
                link.to <= spans.size());
}

TEST(CorruptionTest, CostsNeverMoreThanTheTrace) {
  const std::vector<Sample> samples = Samples();
  ASSERT_FALSE(samples.empty());
  const fs::path file = fs::path(testing::TempDir()) / "corrupted";
  const char* wanted = std::getenv("XSP_CORRUPTIONS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 100;
  int imported = 0;
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(testing::Message() << "corruption " << i);
    std::mt19937_64 random(static_cast<std::uint64_t>(i));
    const Sample& sample = samples[static_cast<std::size_t>(i) % samples.size()];
    std::string bytes = sample.bytes;
    for (std::size_t places = 1 + random() % 8; places > 0 && !bytes.empty(); --places)
      Corrupt(bytes, random);
    std::ofstream(file, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    const auto loaded = trace_files::LoadTrace({{file, sample.format}});
    if (!loaded.ok()) {
      EXPECT_EQ(loaded.error().kind, ErrorKind::kBadInput) << loaded.error().what;
      continue;
    }
    ++imported;
    const trace::Trace& trace = loaded.value();
    ASSERT_NO_FATAL_FAILURE(ExpectSound(trace));
    timeline::ExperimentRows rows;
    AddTimelineRows(1, trace, rows);
  }
  fs::remove(file);
  // Damage costs the damaged part: most of them still give a trace.
  EXPECT_GT(imported, count / 2);
}

}  // namespace
}  // namespace xsp::experiments
