#ifndef XSP_DERIVE_ROOFS_ROOF_H_
#define XSP_DERIVE_ROOFS_ROOF_H_

#include <string>
#include <vector>

namespace xsp::roofs {

/// One ceiling of this machine; a row of the experiment table `roof`.
struct Roof {
  std::string kind;   ///< "flops" or "bandwidth"
  std::string name;   ///< "float32 vector", "DRAM triad", "L2 read"
  std::string dtype;  ///< flops: "float32", "float64", "bfloat16", "float16", "int8"; else empty
  std::string unit;   ///< flops: "vector" or "tensor" (AMX); else empty
  int cores = 0;      ///< That ran at once; 0: a device of a data sheet.
  double value = 0;   ///< FLOP/s (int8: op/s), or byte/s
  std::string provenance;  ///< "measured:xsp" or "data_sheet"
  std::string how;         ///< "AVX-512 FMA, 24 accumulators, best of 50 x 5 ms"
  bool used = false;       ///< The one with which analyses compare a job on all `cores`.
};

struct RoofReport {
  std::string measured_at;  ///< RFC 3339, UTC.
  std::string machine;      ///< CPU model and flags that the figures hold for.
  std::string conditions;   ///< Load, compiler and flags; says when the machine was busy.
  bool disturbed = false;   ///< The machine was busy: the figures may be low.
  std::vector<Roof> roofs;
};

}  // namespace xsp::roofs

#endif  // XSP_DERIVE_ROOFS_ROOF_H_
