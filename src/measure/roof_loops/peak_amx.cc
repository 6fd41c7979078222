// BF16, FP16 and INT8 by AMX tiles. Compiled with -mamx-tile -mamx-bf16 -mamx-int8 (and -mamx-fp16
// where the compiler knows it); runs only where the CPU has them and the kernel permits them.
#include "measure/roof_loops/peak_kernel.h"

#if defined(__AMX_TILE__) && defined(__linux__)
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xsp::roof_loops {
namespace {

// Tiles 0-3 accumulate, 4-5 and 6-7 are the operands, all full (16 rows of 64 bytes): four
// accumulators of 16 cycles each cover the latency of 52 (Intel Optimization Reference Manual,
// section "Intel Advanced Matrix Extensions").
// Palette 1 has eight tiles; what the configuration says of the other eight must be 0.
struct alignas(64) TileConfiguration {
  unsigned char palette = 1;
  unsigned char start_row = 0;
  unsigned char reserved[14] = {};
  unsigned short row_bytes[16] = {64, 64, 64, 64, 64, 64, 64, 64};
  unsigned char rows[16] = {16, 16, 16, 16, 16, 16, 16, 16};
};

bool AskForTiles() {
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM
  constexpr long kTileData = 18;               // XFEATURE_XTILEDATA
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
}

void EnterThread() {
  const TileConfiguration configuration;
  // The intrinsic of GCC 12 declares that it reads 8 of the 64 bytes: without this the others may
  // stay unwritten, and the processor refuses what then lies there.
  asm volatile("" : : "m"(configuration));
  _tile_loadconfig(&configuration);
  _tile_zero(0);
  _tile_zero(1);
  _tile_zero(2);
  _tile_zero(3);
  _tile_zero(4);
  _tile_zero(5);
  _tile_zero(6);
  _tile_zero(7);
}

double RunBfloat16(long rounds) {
  for (long round = 0; round < rounds; ++round) {
    _tile_dpbf16ps(0, 4, 6);
    _tile_dpbf16ps(1, 4, 7);
    _tile_dpbf16ps(2, 5, 6);
    _tile_dpbf16ps(3, 5, 7);
  }
  return 2.0 * 16 * 16 * 32 * 4 * static_cast<double>(rounds);
}

double RunInt8(long rounds) {
  for (long round = 0; round < rounds; ++round) {
    _tile_dpbusd(0, 4, 6);
    _tile_dpbusd(1, 4, 7);
    _tile_dpbusd(2, 5, 6);
    _tile_dpbusd(3, 5, 7);
  }
  return 2.0 * 16 * 16 * 64 * 4 * static_cast<double>(rounds);
}

#ifdef __AMX_FP16__
double RunFloat16(long rounds) {
  for (long round = 0; round < rounds; ++round) {
    _tile_dpfp16ps(0, 4, 6);
    _tile_dpfp16ps(1, 4, 7);
    _tile_dpfp16ps(2, 5, 6);
    _tile_dpfp16ps(3, 5, 7);
  }
  return 2.0 * 16 * 16 * 32 * 4 * static_cast<double>(rounds);
}
#endif

constexpr PeakKernel kKernels[] = {
    {"bfloat16", "tensor", "AMX BF16, 4 accumulator tiles", "amx_tile amx_bf16", AskForTiles,
     EnterThread, RunBfloat16},
    {"int8", "tensor", "AMX INT8, 4 accumulator tiles", "amx_tile amx_int8", AskForTiles,
     EnterThread, RunInt8},
#ifdef __AMX_FP16__
    {"float16", "tensor", "AMX FP16, 4 accumulator tiles", "amx_tile amx_fp16", AskForTiles,
     EnterThread, RunFloat16},
#endif
};

}  // namespace

PeakFamily PeakAmx() {
  return {kKernels, static_cast<int>(sizeof(kKernels) / sizeof(kKernels[0]))};
}

}  // namespace xsp::roof_loops
#else
namespace xsp::roof_loops {
PeakFamily PeakAmx() { return {nullptr, 0}; }
}  // namespace xsp::roof_loops
#endif
