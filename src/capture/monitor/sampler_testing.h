#ifndef XSP_CAPTURE_MONITOR_SAMPLER_TESTING_H_
#define XSP_CAPTURE_MONITOR_SAMPLER_TESTING_H_

// For tests: a sampler, read at chosen moments, its values by name.

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/collect/fixture_tree.h"
#include "capture/monitor/sampler.h"

namespace xsp::monitor {

constexpr std::int64_t kTenthNs = 100'000'000;

class ReadSampler {
 public:
  explicit ReadSampler(std::unique_ptr<Sampler> sampler) : sampler_(std::move(sampler)) {}
  ReadSampler(const SamplerSpec& spec, const collect::FixtureTree& tree)
      : ReadSampler(spec.open(collect::MachineFiles(tree.root()))) {}

  /// Reads a tenth of a second after the last time (the first: at 1 s).
  void Read() {
    now_ns_ += kTenthNs;
    values_.assign(sampler_->channels().size(), kUnknown);
    sampler_->Sample(now_ns_, values_);
  }

  /// Of the last Read(). No such channel: a value that no test expects.
  double Value(const std::string& name, const std::string& part = "") const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const Channel& channel = sampler_->channels()[i];
      if (channel.name == name && channel.part == part) return values_[i];
    }
    return -1e300;
  }
  bool IsUnknown(const std::string& name, const std::string& part = "") const {
    return std::isnan(Value(name, part));
  }

  /// "cpu.busy_share cpu 0 [1]" of every channel.
  std::vector<std::string> Channels() const {
    std::vector<std::string> texts;
    for (const Channel& channel : sampler_->channels())
      texts.push_back(channel.name + (channel.part.empty() ? "" : " " + channel.part) + " [" +
                      channel.unit + "]");
    return texts;
  }
  /// "name: why" of everything hidden.
  std::vector<std::string> Hidden() const {
    std::vector<std::string> texts;
    for (const auto& hidden : sampler_->hidden()) texts.push_back(hidden.name + ": " + hidden.why);
    return texts;
  }

 private:
  std::unique_ptr<Sampler> sampler_;
  std::int64_t now_ns_ = 900'000'000;
  std::vector<double> values_;
};

}  // namespace xsp::monitor

#endif  // XSP_CAPTURE_MONITOR_SAMPLER_TESTING_H_
