#ifndef XSP_MEASURE_ROOF_LOOPS_PEAK_KERNEL_H_
#define XSP_MEASURE_ROOF_LOOPS_PEAK_KERNEL_H_

// Included by files that are compiled for one instruction set each. They must not include anything
// with inline functions (the linker could keep a copy that other CPUs cannot run): plain types
// only.

namespace xsp::roof_loops {

/// A loop of nothing but independent multiply-adds of one instruction. Static data.
struct PeakKernel {
  const char* dtype;  ///< "float32", "float64", "bfloat16", "float16", "int8"
  const char* unit;   ///< "vector" or "tensor"
  const char* how;    ///< "AVX-512 FMA, 24 accumulators"
  const char* flags;  ///< What /proc/cpuinfo must list, separated by blanks; empty: nothing.

  /// Asks the kernel for what the loop needs; null: nothing. False: not to be had here.
  bool (*prepare)();

  /// Sets up the calling thread (AMX tiles); null: nothing to do.
  void (*enter_thread)();

  /// `rounds` times each accumulator; returns the operations done (2 per lane and multiply-add).
  double (*run)(long rounds);
};

struct PeakFamily {
  const PeakKernel* kernels;
  int count;
};

// One file each; empty where the compiler or the architecture does not know the instructions.
PeakFamily PeakAmx();
PeakFamily PeakAvx512();
PeakFamily PeakAvx512Fp16();
PeakFamily PeakAvx512Bf16();
PeakFamily PeakAvx512Vnni();
PeakFamily PeakAvxVnni();
PeakFamily PeakAvx2();
PeakFamily PeakNeon();
PeakFamily PeakVsx();
PeakFamily PeakPortable();

}  // namespace xsp::roof_loops

#endif  // XSP_MEASURE_ROOF_LOOPS_PEAK_KERNEL_H_
