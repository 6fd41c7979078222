#ifndef XSP_DERIVE_COMPARE_BEST_KNOWN_H_
#define XSP_DERIVE_COMPARE_BEST_KNOWN_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace xsp::compare {

/// What a layer computes, as far as its time depends on it and every framework states it.
struct LayerWork {
  std::string type;                   ///< Of the layer, as its framework spells it.
  std::string shape;                  ///< As layer.shape; empty: not known.
  std::string dtype;                  ///< Of the arithmetic; empty: not known.
  std::optional<double> flops;        ///< Of its main kernel.
  std::optional<double> read_bytes;   ///< Likewise, operands once.
  std::optional<double> write_bytes;  ///< Likewise.
};

/// Whether `candidate` does what `wanted` does, and at most what is commonly fused with it: the
/// same kind of layer (AnchorKind or CommonType), type of arithmetic and sizes of the output.
/// Convolutions, products, recurrent and attention layers may have up to 8 FLOP for each output
/// more (a normalisation 2, a sum 1, an activation 5) and read up to two operands of the output's
/// size more (a sum) or less than one less; every other layer has the same FLOPs and bytes. False
/// where either lacks any of them.
bool DoesWorkOf(const LayerWork& candidate, const LayerWork& wanted);

/// A time for some work.
struct WorkTime {
  LayerWork work;
  double time_ns = 0;
  std::int64_t threads = 0;  ///< That computed it; 0: a device.
};

/// Finds the fastest of many times for the same work.
class BestKnown {
 public:
  explicit BestKnown(std::vector<WorkTime> times);

  /// The index, among the times given, of the fastest for this work on at most `threads` threads;
  /// of equal ones the first. Nothing: there is none. O(times of this kind, sizes and type).
  std::optional<std::size_t> Find(const LayerWork& work, std::int64_t threads) const;

  const WorkTime& at(std::size_t index) const { return times_[index]; }

 private:
  std::vector<WorkTime> times_;
  /// Indices of times by kind, sizes and type, the fastest first.
  std::map<std::string, std::vector<std::size_t>, std::less<>> by_kind_;
};

}  // namespace xsp::compare

#endif  // XSP_DERIVE_COMPARE_BEST_KNOWN_H_
