# 64-bit Arm: everything but the workers whose frameworks have no library to link here (docs/architectures.md).
set(XSP_CROSS_NAME aarch64)
set(XSP_CROSS_TRIPLET aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/linux.cmake)
