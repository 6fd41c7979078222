#include "tests/worker_run.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>

namespace xsp::workers_test {
namespace {

namespace fs = std::filesystem;
constexpr auto kPatience = std::chrono::minutes(2);

class Collector : public wire::RecordSink {
 public:
  explicit Collector(Recording& recording) : recording_(recording) {}

  void OnSpan(const wire::SpanRecord& span) override {
    recording_.spans[span.id] = {span.parent,
                                 span.level,
                                 std::string(span.type),
                                 std::string(span.name),
                                 span.start_ns,
                                 span.end_ns,
                                 {},
                                 {}};
    if (span.level == XSP_LEVEL_MODEL) recording_.calls.push_back(span.id);
  }
  void OnMetric(const wire::MetricRecord& metric) override {
    recording_.spans[metric.span].metrics[std::string(metric.name)] = metric.value;
  }
  void OnAttribute(const wire::AttributeRecord& attribute) override {
    auto& where =
        attribute.span == 0 ? recording_.facts : recording_.spans[attribute.span].attributes;
    where[std::string(attribute.key)] = attribute.value;
  }
  void OnMark(const wire::MarkRecord&) override {}
  void OnCounter(const wire::CounterRecord&) override {}

 private:
  Recording& recording_;
};

}  // namespace

TemporaryFolder::TemporaryFolder() {
  std::string name = (fs::temp_directory_path() / "xsp-worker-test.XXXXXX").string();
  path_ = mkdtemp(name.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

fs::path TemporaryFolder::Write(const std::string& name, const std::string& text) const {
  std::ofstream(path_ / name, std::ios::binary) << text;
  return path_ / name;
}

std::vector<const Span*> Recording::Inside(std::uint32_t call) const {
  std::vector<const Span*> inside;
  for (const auto& [id, span] : spans) {
    std::uint32_t ancestor = span.parent;
    while (ancestor != 0 && ancestor != call) {
      const auto it = spans.find(ancestor);
      ancestor = it == spans.end() ? 0 : it->second.parent;
    }
    if (ancestor == call) inside.push_back(&span);
  }
  return inside;
}

int Recording::Count(std::uint32_t call, int level, const std::string& type) const {
  int count = 0;
  for (const Span* span : Inside(call)) count += span->level == level && span->type == type;
  return count;
}

Recording ReadRecording(const fs::path& path) {
  Recording recording;
  wire::ReadError error;
  const auto reader = wire::Reader::Open(path.string(), &error);
  EXPECT_TRUE(reader) << error.what;
  if (!reader) return recording;
  Collector collector(recording);
  reader->Read(collector);
  recording.losses = reader->losses();
  return recording;
}

Finished RunWorker(const fs::path& program, const std::vector<std::string>& arguments) {
  os::SpawnOptions options;
  options.argv = {program.string()};
  options.argv.insert(options.argv.end(), arguments.begin(), arguments.end());
  const auto done = os::RunToEnd(options, kPatience);
  EXPECT_TRUE(done.ok()) << (done.ok() ? "" : done.error().what);
  if (!done.ok()) return {};
  return {done.value().exit.code, done.value().exit.signal, done.value().out,
          done.value().stderr_tail};
}

os::Subprocess StartWorker(const fs::path& program, const fs::path& job,
                           const fs::path& recording) {
  os::SpawnOptions options;
  options.argv = {program.string(), "predict",          "--job",    job.string(),
                  "--recording",    recording.string(), "--control"};
  auto worker = os::Subprocess::Spawn(options);
  EXPECT_TRUE(worker.ok()) << (worker.ok() ? "" : worker.error().what);
  return std::move(worker).value();
}

nlohmann::json NextEvent(os::Subprocess& worker) {
  const os::LineRead line = worker.ReadLine(kPatience);
  if (line.kind != os::LineRead::Kind::kLine) return nullptr;
  auto event = nlohmann::json::parse(line.text, nullptr, false);
  EXPECT_TRUE(event.is_object()) << line.text;
  return event;
}

}  // namespace xsp::workers_test
