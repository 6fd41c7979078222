#ifndef XSP_ANSWER_SUITE_ROOFLINES_ROOFLINE_H_
#define XSP_ANSWER_SUITE_ROOFLINES_ROOFLINE_H_

#include <optional>
#include <string>
#include <vector>

namespace xsp::suite::rooflines {

/// A roof: what a machine can do at most.
struct Roof {
  bool is_bandwidth;       ///< byte/s; else FLOP/s.
  std::string name;        ///< "float32 vector", "DRAM triad"
  double value;            ///< Positive.
  std::string provenance;  ///< "measured:xsp"
  std::string dtype = {};  ///< Of a ceiling: "float32"; empty: of any (one that the user gave).
};

/// The provenance of roofs that the user gave: these go before what was measured.
inline constexpr const char* kGivenRoof = "reported:user";

/// What one workload did. NaN: not known.
struct Work {
  double flops;
  double bytes;    ///< Read and written.
  double seconds;  ///< In kernels.
};

/// Where a workload lies (Williams, Waterman, Patterson, 2009). NaN and "": not known.
struct Place {
  double intensity;      ///< FLOP/byte; not known without traffic.
  double throughput;     ///< FLOP/s.
  std::string bound;     ///< "memory" below the ridge, else "compute".
  double roof_fraction;  ///< Throughput over what the roofs allow at this intensity.
};

/// The place of `work` under the roof of `peak_flops_per_s` and `peak_bytes_per_s` (NaN: unknown).
Place PlaceOf(const Work& work, double peak_flops_per_s, double peak_bytes_per_s);

/// One roof of each name and kind, the greatest of those measured. Names whose values differ by
/// more than a tenth are appended to `*differing` (not null): they are of several machines, or were
/// disturbed.
std::vector<Roof> Merged(const std::vector<Roof>& roofs, std::vector<std::string>* differing);

/// The greatest roof of the kind; nothing when there is none.
std::optional<Roof> Greatest(const std::vector<Roof>& roofs, bool is_bandwidth);

/// The data type that `word` names, as roofs call it: "FP32", "float" and "float32" are "float32";
/// what is not known stays as it is, in small letters.
std::string DataTypeOf(const std::string& word);

/// The ceiling over a workload of data type `dtype`: the one that the user gave, else the greatest
/// of that type. Empty (not known): of float32, else of any. Nothing when there is none.
std::optional<Roof> CeilingFor(const std::vector<Roof>& roofs, const std::string& dtype);

/// The slope: the one that the user gave, else the greatest. Nothing when there is none.
std::optional<Roof> SlopeFor(const std::vector<Roof>& roofs);

/// Two ends of a roof's line on axes of intensity and throughput.
struct Line {
  double from_intensity, to_intensity;
  double from_throughput, to_throughput;
};

/// The line of `roof` between the intensities `low` and `high`: a slope up to the highest ceiling,
/// or a ceiling from the steepest slope on. Nothing when no part of it is within.
std::optional<Line> LineOf(const Roof& roof, const std::vector<Roof>& roofs, double low,
                           double high);

}  // namespace xsp::suite::rooflines

#endif  // XSP_ANSWER_SUITE_ROOFLINES_ROOFLINE_H_
