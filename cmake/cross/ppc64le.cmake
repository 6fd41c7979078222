# 64-bit POWER, little-endian: what runs inside measured processes (docs/architectures.md). Debian's compilers have no
# DuckDB library for it.
set(XSP_CROSS_NAME ppc64le)
set(XSP_CROSS_TRIPLET powerpc64le-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
