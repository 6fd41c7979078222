#ifndef XSP_CORE_FLOAT16_H_
#define XSP_CORE_FLOAT16_H_

#include <cstdint>

namespace xsp::core {

// Numbers of 16 bits and their bits. Both conversions from float round to nearest even, as hardware
// does. All pure; any thread.

/// IEEE 754 binary16, subnormals and infinities included.
std::uint16_t ToFloat16(float value);
double FromFloat16(std::uint16_t bits);

/// The upper half of a float.
std::uint16_t ToBfloat16(float value);
float FromBfloat16(std::uint16_t bits);

}  // namespace xsp::core

#endif  // XSP_CORE_FLOAT16_H_
