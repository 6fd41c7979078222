#ifndef XSP_CAPTURE_SAMPLING_REGISTERS_H_
#define XSP_CAPTURE_SAMPLING_REGISTERS_H_

#include <cstddef>
#include <cstdint>

#if defined(__x86_64__) || defined(__aarch64__)
#include <asm/perf_regs.h>
#endif

namespace xsp::sampling {

// Which registers a sample carries, and their numbers in unwinding tables. Order: that of the bits
// in the mask. Sources: asm/perf_regs.h; System V ABI for x86-64, figure 3.36; DWARF for the Arm
// 64-bit architecture, section 4.1.
#if defined(__x86_64__)

inline constexpr bool kCanUnwind = true;
/// rax, rbx, rcx, rdx, rsi, rdi, rbp, rsp, rip, r8 to r15; no flags, no segments.
inline constexpr std::uint64_t kRegisterMask =
    ((std::uint64_t{1} << (PERF_REG_X86_IP + 1)) - 1) | std::uint64_t{0xFF} << PERF_REG_X86_R8;
inline constexpr std::size_t kRegisters = 17;
inline constexpr int kDwarfNumber[kRegisters] = {0, 3, 2,  1,  4,  5,  6,  7, 16,
                                                 8, 9, 10, 11, 12, 13, 14, 15};
inline constexpr std::size_t kDwarfRegisters = 17;
inline constexpr std::size_t kStackPointer = 7, kProgramCounter = 8;  ///< Places in the order.

#elif defined(__aarch64__)

inline constexpr bool kCanUnwind = true;
/// x0 to x29, lr, sp, pc.
inline constexpr std::uint64_t kRegisterMask = (std::uint64_t{1} << (PERF_REG_ARM64_PC + 1)) - 1;
inline constexpr std::size_t kRegisters = 33;
inline constexpr int kDwarfNumber[kRegisters] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                                 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                                 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32};
inline constexpr std::size_t kDwarfRegisters = 32;  ///< The program counter has no number.
inline constexpr std::size_t kStackPointer = 31, kProgramCounter = 32;

#else

inline constexpr bool kCanUnwind = false;
inline constexpr std::uint64_t kRegisterMask = 0;
inline constexpr std::size_t kRegisters = 1;
inline constexpr int kDwarfNumber[kRegisters] = {0};
inline constexpr std::size_t kDwarfRegisters = 1;
inline constexpr std::size_t kStackPointer = 0, kProgramCounter = 0;

#endif

}  // namespace xsp::sampling

#endif  // XSP_CAPTURE_SAMPLING_REGISTERS_H_
