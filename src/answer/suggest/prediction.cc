#include "answer/suggest/prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "answer/wording/quantity.h"
#include "core/counted.h"
#include "core/statistics.h"

namespace xsp::suggest {
namespace {

constexpr double kNsPerSecond = 1e9;

std::optional<double> PeakOf(const KernelWork& kernel, const PeakRates& rates) {
  if (const auto exact = rates.flops_per_s.find({kernel.dtype, kernel.unit});
      exact != rates.flops_per_s.end())
    return exact->second;
  for (const auto& [key, peak] : rates.flops_per_s)
    if (key.first == kernel.dtype) return peak;
  return {};
}

/// Kernel and other time of a call that takes `latency_ns` without profiling. Kernels that overlap
/// add up to more than the call: then they are all of it.
struct SplitCall {
  double kernels_ns = 0, other_ns = 0;
  double scale = 1;  ///< Of a kernel's time.
};

SplitCall Split(const PointWork& work, double latency_ns) {
  double sum_ns = 0;
  for (const KernelWork& kernel : work.kernels) sum_ns += kernel.time_ns;
  const double whole_ns = std::max(work.call_ns, sum_ns);
  if (!(whole_ns > 0)) return {0, latency_ns, 1};
  const double scale = latency_ns / whole_ns;
  return {sum_ns * scale, latency_ns - sum_ns * scale, scale};
}

double TotalRoofTime(const PointWork& work, const PeakRates& rates) {
  double total_ns = 0;
  for (const KernelWork& kernel : work.kernels) total_ns += RoofTime(kernel, rates).value_or(0);
  return total_ns;
}

auto KeyWithoutMachine(const Identity& one) {
  return std::tuple<const std::string&, const std::string&, const std::string&, const std::string&,
                    const std::string&, std::int64_t>(
      one.model, one.model_sha256, one.backend, one.precision, one.settings, one.batch.value_or(0));
}

auto KeyWithoutBatch(const Identity& one) {
  return std::tuple<const std::string&, const std::string&, const std::string&, const std::string&,
                    const std::string&, const std::string&>(
      one.model, one.model_sha256, one.backend, one.precision, one.settings, one.machine);
}

/// Factors, at least 1, of the predictions of each point from others on other machines.
std::vector<double> ErrorsOverMachines(std::span<const PredictablePoint> points) {
  std::vector<double> factors;
  for (const PredictablePoint& from : points)
    for (const PredictablePoint& to : points) {
      if (from.identity.machine == to.identity.machine ||
          KeyWithoutMachine(from.identity) != KeyWithoutMachine(to.identity))
        continue;
      const auto scaled = ScaleToMachine(from.work, from.latency_ns, from.rates, to.rates);
      if (scaled)
        factors.push_back(std::exp(std::abs(std::log(scaled->latency_ns / to.latency_ns))));
    }
  return factors;
}

std::vector<double> ErrorsOverBatches(std::span<const PredictablePoint> points) {
  std::vector<double> factors;
  for (const PredictablePoint& to : points) {
    const PredictablePoint* nearest = nullptr;
    double distance = 0;
    for (const PredictablePoint& from : points) {
      const auto batch = from.identity.batch.value_or(0), wanted = to.identity.batch.value_or(0);
      if (batch <= 0 || wanted <= 0 || batch == wanted ||
          KeyWithoutBatch(from.identity) != KeyWithoutBatch(to.identity))
        continue;
      const double of_this =
          std::abs(std::log(static_cast<double>(batch) / static_cast<double>(wanted)));
      if (nearest != nullptr && distance <= of_this) continue;
      nearest = &from;
      distance = of_this;
    }
    if (nearest == nullptr) continue;
    const auto scaled = ScaleToBatch(nearest->work, nearest->latency_ns, to.work, to.rates);
    if (scaled) factors.push_back(std::exp(std::abs(std::log(*scaled / to.latency_ns))));
  }
  return factors;
}

}  // namespace

PeakRates PeakRatesOf(std::string machine, std::string provenance,
                      std::span<const roofs::Roof> roofs) {
  PeakRates rates{std::move(machine), std::move(provenance), {}, 0};
  for (const roofs::Roof& roof : roofs) {
    if (!roof.used || !(roof.value > 0)) continue;
    if (roof.kind == "flops") {
      rates.flops_per_s[{roof.dtype, roof.unit}] = roof.value;
    } else if (roof.name.starts_with("DRAM")) {
      rates.bytes_per_s = std::max(rates.bytes_per_s, roof.value);
    }
  }
  return rates;
}

std::optional<double> RoofTime(const KernelWork& kernel, const PeakRates& rates) {
  double seconds = 0;
  if (kernel.flops > 0) {
    const auto peak = PeakOf(kernel, rates);
    if (!peak) return {};
    seconds = kernel.flops / *peak;
  }
  if (kernel.bytes > 0) {
    if (!(rates.bytes_per_s > 0)) return {};
    seconds = std::max(seconds, kernel.bytes / rates.bytes_per_s);
  }
  if (!(seconds > 0)) return {};
  return seconds * kNsPerSecond;
}

std::optional<ScaledLatency> ScaleToMachine(const PointWork& work, double latency_ns,
                                            const PeakRates& from, const PeakRates& to) {
  const SplitCall call = Split(work, latency_ns);
  double covered_ns = 0, scaled_ns = 0;
  for (const KernelWork& kernel : work.kernels) {
    const auto here = RoofTime(kernel, from), there = RoofTime(kernel, to);
    if (!here || !there) continue;
    covered_ns += kernel.time_ns * call.scale;
    scaled_ns += kernel.time_ns * call.scale * *there / *here;
  }
  if (!(covered_ns > 0)) return {};
  const double mean_ratio = scaled_ns / covered_ns;
  return ScaledLatency{call.other_ns + scaled_ns + (call.kernels_ns - covered_ns) * mean_ratio,
                       covered_ns / call.kernels_ns, call.kernels_ns / latency_ns};
}

std::optional<double> ScaleToBatch(const PointWork& from, double latency_ns, const PointWork& to,
                                   const PeakRates& rates) {
  const double here = TotalRoofTime(from, rates), there = TotalRoofTime(to, rates);
  if (!(here > 0) || !(there > 0)) return {};
  const SplitCall call = Split(from, latency_ns);
  return call.other_ns + call.kernels_ns * there / here;
}

PredictionError MeasureError(std::span<const PredictablePoint> points) {
  PredictionError error{PredictionError::Basis::kMachines, 0, 1, 1};
  std::vector<double> factors = ErrorsOverMachines(points);
  if (factors.empty()) {
    error.basis = PredictionError::Basis::kBatches;
    factors = ErrorsOverBatches(points);
  }
  if (factors.empty()) return {};
  error.cases = factors.size();
  error.median_factor = core::Median(factors);
  error.largest_factor = *std::ranges::max_element(factors);
  return error;
}

std::string Describe(const PredictionError& error) {
  const std::string size = fmt::format("median x{:.3g}, largest x{:.3g}, {}", error.median_factor,
                                       error.largest_factor, core::Counted(error.cases, "case"));
  switch (error.basis) {
    case PredictionError::Basis::kNone:
      return "error not known: no model was measured on two machines or at two batch sizes";
    case PredictionError::Basis::kBatches:
      return "error between batch sizes of one machine: " + size +
             "; between machines it is not known";
    case PredictionError::Basis::kMachines:
      return "error between machines: " + size;
  }
  return {};
}

std::optional<Candidate> Predict(const Candidate& measured, const PredictablePoint& point,
                                 const PeakRates& to, const PredictionError& error) {
  const auto scaled = ScaleToMachine(point.work, point.latency_ns, point.rates, to);
  if (!scaled) return {};
  Candidate predicted = measured;
  predicted.is_predicted = true;
  predicted.values = {};
  predicted.memory_of.clear();
  predicted.energy_of.clear();
  predicted.identity.machine = to.machine;
  predicted.identity.cores = {};
  Value& latency = predicted.Of(Metric::kLatency);
  latency.centre = scaled->latency_ns;
  if (error.basis != PredictionError::Basis::kNone) {
    latency.low = scaled->latency_ns / error.largest_factor;
    latency.high = scaled->latency_ns * error.largest_factor;
  }
  predicted.prediction = fmt::format(
      "predicted from {} on {} by {} roofs of it and {} roofs of {}: {} of the call in kernels, {} "
      "of them with known work; {}",
      measured.experiment, point.rates.machine, point.rates.provenance, to.provenance, to.machine,
      wording::Percent(scaled->kernel_share), wording::Percent(scaled->covered_share),
      Describe(error));
  return predicted;
}

}  // namespace xsp::suggest
