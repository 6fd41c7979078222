#ifndef XSP_MATCH_NATIVE_WORK_H_
#define XSP_MATCH_NATIVE_WORK_H_

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "match/point_layers.h"

namespace xsp::match {

/// FLOPs and traffic of native kernels: from the shapes of their operator, which another run (the
/// details pass) may have recorded. An operator inside a layer is found there by its type and its
/// number among the operators of that type in the layer.
class NativeWork {
 public:
  /// Borrows both.
  NativeWork(const PointLayers& layers, const RunView& kernel_run);

  /// Adds what is known of a native kernel of the kernel run to `work`, where its own metrics say
  /// nothing. `layer` is the point's layer it belongs to; -1: none.
  void Fill(const KernelEvent& kernel, std::int32_t layer, KernelWork& work) const;

 private:
  /// Layer of the point, operator type, number.
  using Key = std::tuple<std::int32_t, std::string, int>;
  struct Shaped {
    const RunView* run;
    std::map<Key, trace::SpanId> operators;
  };

  const RunView& kernel_run_;
  std::vector<int> numbers_;  ///< By span of the kernel run.
  std::vector<Shaped> shaped_;
};

}  // namespace xsp::match

#endif  // XSP_MATCH_NATIVE_WORK_H_
