#ifndef XSP_MEASURE_ALTERNATIVES_PROCESSOR_H_
#define XSP_MEASURE_ALTERNATIVES_PROCESSOR_H_

#include <cstdint>
#include <string>

namespace xsp::alternatives {

/// What primitives ran on, and their alternatives are measured on.
struct Processor {
  bool is_gpu = false;
  std::string name;        ///< Model of the CPU, or the GPU's name as its driver states it.
  std::int64_t cores = 0;  ///< Of the CPU, which the job could use.
  int threads = 0;         ///< Of the CPU, which a primitive used.
  int ordinal = 0;         ///< Of the GPU in the machine that ran them, as CUDA counts.
};

}  // namespace xsp::alternatives

#endif  // XSP_MEASURE_ALTERNATIVES_PROCESSOR_H_
