# A recording is memory as the processor writes it, and XSP reads it so: a build for a big-endian processor would write files
# that no other machine reads (docs/architectures.md). src/capture/wire/format.h refuses it, too, where no CMake is used.
if(CMAKE_CXX_BYTE_ORDER STREQUAL BIG_ENDIAN)
  message(FATAL_ERROR "XSP cannot be built for a big-endian processor: its recordings are little-endian. "
                      "Build for a little-endian one: x86-64, AArch64, ppc64le.")
endif()
