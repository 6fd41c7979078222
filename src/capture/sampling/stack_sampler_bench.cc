// What sampling costs a program, and what it found:
//   stack_sampler_bench HZ TURNS [FOLDED] PROGRAM ARGUMENTS...
// Alternates runs of the program bare and sampled; prints the CPU time of both, what the sampler's
// own thread took, and the losses. FOLDED (a name that ends in .folded): the last run's stacks as
// "a;b;c N" lines, as flamegraph.pl and speedscope read them.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "capture/sampling/stack_sampler.h"
#include "core/statistics.h"
#include "os/foreground_program.h"

namespace {

using xsp::sampling::StackSampler;
using xsp::sampling::StackSamples;

struct Execution {
  double cpu_s = 0, wall_s = 0;
  StackSamples samples;
};

Execution Run(const std::vector<std::string>& argv, double rate_hz) {
  Execution made;
  xsp::os::ForegroundProgram program;
  std::unique_ptr<StackSampler> sampler;
  const auto start = std::chrono::steady_clock::now();
  const auto watch = [&](int pid) -> xsp::Status {
    if (rate_hz <= 0) return xsp::Ok{};
    XSP_TRY(sampler, StackSampler::Start(pid, {.rate_hz = rate_hz}));
    return xsp::Ok{};
  };
  if (const auto started = program.Start(argv, {.before_exec = watch}); !started.ok()) {
    fmt::print(stderr, "{}\n{}\n", started.error().what, started.error().hint);
    std::exit(1);
  }
  const auto exit = program.Wait();
  made.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  made.cpu_s = static_cast<double>(exit.user_ns + exit.system_ns) / 1e9;
  if (sampler) made.samples = sampler->Stop();
  return made;
}

void WriteFolded(const StackSamples& samples, const std::string& file) {
  std::map<std::string, std::int64_t> stacks;
  for (const auto& sample : samples.samples) {
    std::string text;
    for (std::uint32_t node = sample.node; node != 0; node = samples.tree.nodes()[node].parent) {
      const auto& function = samples.tree.frames()[samples.tree.nodes()[node].frame].function;
      text = text.empty() ? function : function + ";" + text;
    }
    ++stacks[text];
  }
  std::ofstream out(file);
  for (const auto& [text, count] : stacks) out << text << ' ' << count << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    fmt::print(stderr, "usage: stack_sampler_bench HZ TURNS [FILE.folded] PROGRAM ARGUMENTS...\n");
    return 2;
  }
  const double rate_hz = std::atof(argv[1]);
  const int turns = std::atoi(argv[2]);
  std::vector<std::string> program(argv + 3, argv + argc);
  std::string folded;
  if (program.front().ends_with(".folded")) {
    folded = program.front();
    program.erase(program.begin());
  }
  std::vector<double> bare_s, sampled_s;
  for (int turn = 0; turn < turns; ++turn) {
    bare_s.push_back(Run(program, 0).cpu_s);
    const Execution sampled = Run(program, rate_hz);
    sampled_s.push_back(sampled.cpu_s);
    const StackSamples& samples = sampled.samples;
    fmt::print(
        "bare {:.3f} s, sampled {:.3f} s of CPU; {} samples, lost {}, cut {}, broken {}, "
        "nodes {}; sampler {:.1f} us a sample, {:.2f} % of a core\n",
        bare_s.back(), sampled.cpu_s, samples.samples.size(), samples.lost, samples.cut_stacks,
        samples.broken_stacks, samples.tree.nodes().size(),
        static_cast<double>(samples.cpu_ns) / 1e3 /
            static_cast<double>(std::max<std::size_t>(samples.samples.size(), 1)),
        100 * samples.CostShare());
    if (!folded.empty()) WriteFolded(samples, folded);
  }
  const auto interval = xsp::core::TrimmedMeanRatioInterval(sampled_s, bare_s);
  fmt::print("CPU time sampled / bare: {:.4f} (95 % {:.4f} to {:.4f})\n",
             xsp::core::TrimmedMean(sampled_s) / xsp::core::TrimmedMean(bare_s), interval.low,
             interval.high);
  return 0;
}
