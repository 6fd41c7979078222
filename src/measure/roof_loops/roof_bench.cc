// The measured FP32 peak beside the best of large oneDNN matrix products, alternating in one run.
//   roof_bench          one core and all: both figures and their ratio
//   roof_bench roofs    all roofs, measured anew, as a table
//   roof_bench json     the same as JSON
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <vector>

#include "measure/roof_loops/measured_roofs.h"
#include "measure/roof_loops/peak_kernels.h"
#include "measure/roof_loops/roof_cache.h"
#include "measure/roof_loops/roof_measurement.h"
#include "os/processor.h"

#ifdef XSP_HAVE_ONEDNN
#include <omp.h>

#include <oneapi/dnnl/dnnl.h>
#endif

namespace xsp::roof_loops {
namespace {

double SecondsOf(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

int PrintRoofs(bool as_json) {
  MeasureOptions options;
  options.again = true;
  Result<roofs::RoofReport> report = Error{ErrorKind::kInternal, "", ""};
  const double seconds = SecondsOf([&] { report = MeasuredRoofs(options); });
  if (!report.ok()) {
    fmt::print(stderr, "{}\n", report.error().what);
    return static_cast<int>(report.error().kind);
  }
  if (as_json) {
    fmt::print("{}", ToJson(report.value()));
    return 0;
  }
  fmt::print("{}\n{}\n{}\nmeasured in {:.1f} s; * used by analyses\n", report.value().machine,
             report.value().measured_at, report.value().conditions, seconds);
  for (const roofs::Roof& roof : report.value().roofs) {
    fmt::print("{:<16} {:>3} cores {} {:>8.1f} {:<7} {}\n", roof.name, roof.cores,
               roof.used ? '*' : ' ', roof.value / 1e9,
               roof.kind == "bandwidth" ? "GB/s"
               : roof.dtype == "int8"   ? "Gop/s"
                                        : "GFLOP/s",
               roof.how);
  }
  return 0;
}

#ifdef XSP_HAVE_ONEDNN
/// FLOP/s of the fastest of repeated n x n products within `seconds`.
double BestProduct(long n, double seconds) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::vector<float> a(size, 0.5F);
  const std::vector<float> b(size, 0.25F);
  std::vector<float> c(size);
  double best_s = 1e9;
  for (double spent = 0; spent < seconds;) {
    const double took_s = SecondsOf(
        [&] { dnnl_sgemm('N', 'N', n, n, n, 1.0F, a.data(), n, b.data(), n, 0.0F, c.data(), n); });
    spent += took_s;
    best_s = std::min(best_s, took_s);
  }
  return 2.0 * static_cast<double>(n) * static_cast<double>(n) * static_cast<double>(n) / best_s;
}

void Compare(const PeakKernel& kernel, std::span<const int> cpus) {
  constexpr int kTurns = 5;
  omp_set_num_threads(static_cast<int>(cpus.size()));
  double peak = 0;
  double product = 0;
  long best_n = 0;
  double off_cpu = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const Measurement measurement = MeasureRate(
        cpus, [&](int) { return Chunk([&] { return kernel.run(2000); }); }, Effort{});
    peak = std::max(peak, measurement.rate.best_per_s);
    off_cpu += measurement.off_cpu_share / kTurns;
    for (const long n : {512L, 1024L, 2048L}) {
      const double rate = BestProduct(n, 0.1);
      if (rate > product) best_n = n;
      product = std::max(product, rate);
    }
  }
  const dnnl_version_t* const version = dnnl_version();
  fmt::print(
      "{} core(s): measured peak {:.1f} GFLOP/s ({}); oneDNN {}.{}.{} best product {:.1f} GFLOP/s "
      "(n = {}): ratio {:.3f}\n",
      cpus.size(), peak / 1e9, kernel.how, version->major, version->minor, version->patch,
      product / 1e9, best_n, product / peak);
  if (product > peak * 1.02) fmt::print("  the peak was measured too low\n");
  if (product < peak * 0.9) {
    fmt::print(
        "  more than 10 % apart: others held the CPUs for {:.0f} % of the peak's time; a "
        "product needs both cores undisturbed for milliseconds, and this oneDNN may not know "
        "the CPU\n",
        off_cpu * 100);
  }
}
#endif

int CompareWithOneDnn() {
#ifdef XSP_HAVE_ONEDNN
  const std::vector<PeakKernel> kernels = UsablePeakKernels(os::ReadProcessor());
  const std::vector<int> cpus = os::AllowedCpus();
  const auto is_float32 = [](const PeakKernel& k) { return std::strcmp(k.dtype, "float32") == 0; };
  const auto kernel = std::find_if(kernels.begin(), kernels.end(), is_float32);
  Compare(*kernel, std::span(cpus).first(1));
  if (cpus.size() > 1) Compare(*kernel, cpus);
  return 0;
#else
  fmt::print("built without oneDNN: install libdnnl-dev and configure again\n");
  return 4;
#endif
}

}  // namespace
}  // namespace xsp::roof_loops

int main(int argc, char** argv) {
  const bool roofs = argc > 1 && std::strcmp(argv[1], "roofs") == 0;
  const bool json = argc > 1 && std::strcmp(argv[1], "json") == 0;
  if (roofs || json) return xsp::roof_loops::PrintRoofs(json);
  return xsp::roof_loops::CompareWithOneDnn();
}
