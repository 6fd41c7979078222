# Each instruction family is a file with its own flags: only where the compiler knows them, else the
# file compiles to an empty list. Always optimised and never instrumented: these loops are the ruler.
include(CheckCXXCompilerFlag)

set(xsp_loop_flags "-O3;-fno-sanitize=all;-fno-stack-protector;-fno-profile-arcs;-fno-test-coverage"
                   "-ffp-contract=fast")

# xsp_instruction_set(<check> <flags> <file>...)
function(xsp_instruction_set CHECK FLAGS)
  string(REPLACE ";" " " probe "${FLAGS}")
  check_cxx_compiler_flag("${probe}" ${CHECK})
  set(options ${xsp_loop_flags})
  if(${CHECK})
    list(APPEND options ${FLAGS})
  endif()
  foreach(file IN LISTS ARGN)
    set_source_files_properties(${CMAKE_SOURCE_DIR}/src/measure/roof_loops/${file}
                                PROPERTIES COMPILE_OPTIONS "${options}")
  endforeach()
endfunction()

xsp_instruction_set(XSP_HAS_AVX512F "-mavx512f" peak_avx512.cc bandwidth_avx512.cc)
xsp_instruction_set(XSP_HAS_AVX512FP16 "-mavx512fp16" peak_avx512_fp16.cc)
xsp_instruction_set(XSP_HAS_AVX512BF16 "-mavx512f;-mavx512bf16" peak_avx512_bf16.cc)
xsp_instruction_set(XSP_HAS_AVX512VNNI "-mavx512f;-mavx512vnni" peak_avx512_vnni.cc)
xsp_instruction_set(XSP_HAS_AVXVNNI "-mavx2;-mavxvnni" peak_avx_vnni.cc)
xsp_instruction_set(XSP_HAS_AVX2 "-mavx2;-mfma" peak_avx2.cc bandwidth_avx2.cc)
check_cxx_compiler_flag("-mamx-fp16" XSP_HAS_AMX_FP16)
if(XSP_HAS_AMX_FP16)
  xsp_instruction_set(XSP_HAS_AMX "-mamx-tile;-mamx-bf16;-mamx-int8;-mamx-fp16" peak_amx.cc)
else()
  xsp_instruction_set(XSP_HAS_AMX "-mamx-tile;-mamx-bf16;-mamx-int8" peak_amx.cc)
endif()
xsp_instruction_set(XSP_HAS_NEON_EXTENSIONS "-march=armv8.2-a+fp16+dotprod+bf16" peak_neon.cc)
set_source_files_properties(
  ${CMAKE_SOURCE_DIR}/src/measure/roof_loops/peak_portable.cc ${CMAKE_SOURCE_DIR}/src/measure/roof_loops/peak_vsx.cc
  ${CMAKE_SOURCE_DIR}/src/measure/roof_loops/bandwidth_portable.cc
  PROPERTIES COMPILE_OPTIONS "${xsp_loop_flags}")

# roof_bench compares with oneDNN's own matrix product where a package of it is installed.
if(XSP_BENCHES)
  find_package(OpenMP QUIET)
  # Not through its own CMake package: that insists on OpenCL's headers.
  find_path(XSP_ONEDNN_INCLUDE oneapi/dnnl/dnnl.h)
  find_library(XSP_ONEDNN_LIBRARY dnnl)
  if(XSP_ONEDNN_INCLUDE AND XSP_ONEDNN_LIBRARY AND TARGET OpenMP::OpenMP_CXX)
    # The bench becomes a target only after this file was read.
    cmake_language(DEFER CALL target_link_libraries roof_bench PRIVATE ${XSP_ONEDNN_LIBRARY}
                   OpenMP::OpenMP_CXX)
    cmake_language(DEFER CALL target_include_directories roof_bench PRIVATE ${XSP_ONEDNN_INCLUDE})
    cmake_language(DEFER CALL target_compile_definitions roof_bench PRIVATE XSP_HAVE_ONEDNN)
  endif()
endif()
