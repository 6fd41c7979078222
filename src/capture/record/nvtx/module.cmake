# NVTX's headers: below .deps (tools/setup), of the system's CUDA, or in an installed PyTorch's wheels.
file(GLOB nvtx_wheels ${XSP_DEPS_DIR}/python/lib/python3*/site-packages/nvidia/*/include
     $ENV{XSP_TORCH_DIR}/../nvidia/*/include)
find_path(XSP_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
  HINTS ${XSP_DEPS_DIR}/nvtx/include
  PATHS $ENV{CUDA_HOME}/include /usr/local/cuda/include ${nvtx_wheels})
if(XSP_NVTX_INCLUDE_DIR)
  set(XSP_LIBRARY_INCLUDES ${XSP_NVTX_INCLUDE_DIR})
  list(APPEND XSP_LIBRARY_SHARED_SOURCES ${root}/control.cc ${root}/range_domain.cc
       ${root}/range_table.cc ${root}/ranges.cc)
  if(XSP_TESTS)
    # An unchanged program, in C, against the real header.
    add_executable(nvtx_program ${entry}/nvtx_program_main.c)
    target_include_directories(nvtx_program SYSTEM PRIVATE ${XSP_NVTX_INCLUDE_DIR})
    target_compile_options(nvtx_program PRIVATE -fno-sanitize=all)
    target_link_options(nvtx_program PRIVATE -fno-sanitize=all)
    target_link_libraries(nvtx_program PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
    list(APPEND XSP_LIBRARY_TEST_PATHS kNvtxProgram $<TARGET_FILE:nvtx_program>)
    list(APPEND XSP_LIBRARY_TEST_NEEDS nvtx_program)
  endif()
else()
  set(XSP_SKIP_LIBRARY "no NVTX headers: tools/setup fetches them")
endif()
