#ifndef XSP_ANSWER_SUGGEST_CANDIDATE_H_
#define XSP_ANSWER_SUGGEST_CANDIDATE_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "answer/suggest/metric.h"

namespace xsp::suggest {

/// One score of a model with trained weights on a labelled data set.
struct Accuracy {
  std::string metric;   ///< "top_1", "ap", "bleu", ...
  std::string dataset;  ///< As it was named when it was measured.
  Value value;          ///< Shares 0 to 1; bleu 0 to 100. Its interval is that of the samples.
  std::int64_t samples = 0;
};

/// What makes two measurements measurements of the same thing. `precision` is the one that was
/// asked for ("default": that of the model's file); `settings` leaves out what does not change the
/// program (seed, iterations).
struct Identity {
  std::string model, model_sha256, backend, device, precision, settings, machine;
  std::optional<std::int64_t> batch, cores;
  /// Of what has no model file, such as an imported trace, the experiment: else empty.
  std::string experiment;

  auto operator<=>(const Identity&) const = default;
};

/// A model with its backend, precision, batch size and machine, and what is known of it.
struct Candidate {
  Identity identity;
  std::string experiment;  ///< Of the latency and throughput: its name in the store.
  std::int64_t point_id = 0;
  std::string created;           ///< Of that experiment: RFC 3339, UTC.
  std::size_t measurements = 1;  ///< Experiments of the store that measured it.
  std::string task = {};         ///< Of the model's manifest; empty: not known.
  std::string worker = {};       ///< "torch"; empty: not known.
  std::string precision = {};    ///< In which most of the arithmetic ran, as far as known.
  bool is_disturbed = false;     ///< Other programs used the machine, in every experiment of it.
  bool is_plain = true;          ///< Measured by calls one after another on synthetic inputs.
  std::array<Value, kMetrics> values = {};
  /// Of the memory: "process" (peak resident, with model and framework) or "device" (allocated by
  /// the framework during a call).
  std::string memory_of = {};
  std::string energy_of = {};  ///< Parts that it is the energy of: "package-0, gpu 0".
  std::vector<Accuracy> accuracies = {};
  bool is_predicted = false;
  std::string prediction = {};  ///< Of a predicted one: from what, and with which error.

  const Value& Of(Metric metric) const { return values[static_cast<std::size_t>(metric)]; }
  Value& Of(Metric metric) { return values[static_cast<std::size_t>(metric)]; }
};

/// "tiny on ONNX Runtime 1.31.0, float32, batch 4"
std::string NameOf(const Candidate& candidate);

/// Sets throughput, and with a price the cost, from the latency and the batch size.
/// `price_per_hour`: of the machine. Cost is that of 10^6 items, calls one after another.
void DeriveFromLatency(Candidate& candidate, std::optional<double> price_per_hour);

/// 95 % interval of a share that was counted in `samples` samples (Wilson 1927, JASA 22).
Value ShareOf(double share, std::int64_t samples);

/// The 99th percentile (nearest rank) of `count` calls with its distribution-free 95 % interval
/// (order statistics; David and Nagaraja 2003, section 7.1), which takes calls as independent.
/// `longest`: the longest of the calls, descending, at least those that the interval needs. Below
/// 100 calls the value is not known; below 368 its interval has no upper end.
Value PercentileOf99(const std::vector<double>& longest, std::int64_t count);

}  // namespace xsp::suggest

#endif  // XSP_ANSWER_SUGGEST_CANDIDATE_H_
