// Writes an experiment with one run of as many spans as asked for: training steps of operators,
// launches and kernels on two streams, made in memory and stored by what stores an import. Then
// bench/large_run.py says in what time and memory it is listed, queried and analysed.
//
// Usage: large_run_bench STORE SPANS

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "derive/experiments/experiment_builder.h"
#include "trace/trace.h"

namespace xsp::experiments {
namespace {

constexpr std::int64_t kOperatorsPerStep = 1000;

trace::Trace MakeTrace(std::int64_t spans) {
  trace::Trace trace;
  trace::TraceWriter writer(trace);
  const auto thread = writer.AddTrack({trace::TrackKind::kThread, "thread 1", 1, 1});
  trace::Track stream{trace::TrackKind::kStream, "stream 7"};
  stream.device = 0;
  stream.stream = 7;
  const auto first = writer.AddTrack(stream);
  stream.name = "stream 20";
  stream.stream = 20;
  const auto second = writer.AddTrack(stream);
  std::vector<std::string> operators, kernels;
  for (int i = 0; i < 40; ++i) operators.push_back(fmt::format("aten::operator_{}", i));
  for (int i = 0; i < 300; ++i)
    kernels.push_back(fmt::format("void example::kernel_{}<float, {}>(float*, int)", i, i % 8));
  std::minstd_rand random(1);  // Real durations hardly repeat.
  const auto below = [&](int n) { return static_cast<std::int64_t>(random()) % n; };
  std::int64_t now = 1'000'000;
  for (std::int64_t step = 0; static_cast<std::int64_t>(trace.spans.size()) < spans; ++step) {
    writer.AddSpan({trace::Level::kApplication, trace::type::kStep,
                    fmt::format("ProfilerStep#{}", step), thread, now, kOperatorsPerStep * 30'000});
    for (std::int64_t i = 0; i < kOperatorsPerStep; ++i, now += 30'000) {
      const auto id = static_cast<std::size_t>(i);
      const std::string& name = operators[id % operators.size()];
      const auto outer =
          writer.AddSpan({trace::Level::kLayer, name, name, thread, now, 25'000 + below(4'000)});
      const auto inner = writer.AddSpan({trace::Level::kLayer, "aten::inner", "aten::inner", thread,
                                         now + 2'000, 14'000 + below(3'000), outer});
      const auto launch = writer.AddSpan(
          {trace::Level::kLibrary, "cuda_runtime", "cudaLaunchKernel", thread, now + 5'000,
           4'000 + below(4'000), inner, step * kOperatorsPerStep + i + 1});
      writer.AddSpan({trace::Level::kKernel, trace::type::kKernel, kernels[id % kernels.size()],
                      i % 4 == 0 ? second : first, now + 9'000 + below(3'000), 8'000 + below(5'000),
                      launch, step * kOperatorsPerStep + i + 1});
    }
  }
  return trace;
}

double Seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

Status Write(const std::string& folder, std::int64_t spans) {
  const double start = Seconds();
  trace::Trace trace = MakeTrace(spans);
  const std::size_t made_spans = trace.spans.size();
  const double made = Seconds();
  XSP_TRY(ExperimentBuilder builder,
          ExperimentBuilder::Create(folder, fmt::format("spans-{}", spans)));
  match::RunInput input;
  input.point_id = 1;
  input.rung = "imported";
  input.status = "done";
  input.path = "imported";
  XSP_RETURN_IF_ERROR(builder.TakeRun(input, {}, std::move(trace)));
  XSP_RETURN_IF_ERROR(
      builder.MakeTables({{1, "bench", "PyTorch", "gpu", "unknown", 0, "{}", 0, 0}}));
  XSP_TRY(const auto path, builder.Commit({.kind = "import", .model = "bench", .status = "done"}));
  fmt::print("{}: {} spans made in {:.1f} s, stored in {:.1f} s\n", path.string(), made_spans,
             made - start, Seconds() - made);
  return Ok{};
}

}  // namespace
}  // namespace xsp::experiments

int main(int count, char** arguments) {
  if (count != 3) {
    fmt::print(stderr, "usage: large_run_bench STORE SPANS\n");
    return 2;
  }
  const auto written = xsp::experiments::Write(arguments[1], std::atoll(arguments[2]));
  if (!written.ok()) fmt::print(stderr, "error: {}\n", written.error().what);
  return written.ok() ? 0 : 1;
}
