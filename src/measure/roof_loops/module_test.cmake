xsp_label(roof_loops_test threads)

# What xsp-roofs-cuda takes from src/ links without the rest of it.
if(NOT XSP_SANITIZE)
  include(${CMAKE_SOURCE_DIR}/roofs/cuda/shared_sources.cmake)
  list(TRANSFORM XSP_ROOFS_CUDA_SHARED PREPEND ${CMAKE_SOURCE_DIR}/)
  file(WRITE ${CMAKE_BINARY_DIR}/generated/roofs_cuda_link_test.cc "int main() {}\n")
  add_executable(roofs_cuda_link_test ${CMAKE_BINARY_DIR}/generated/roofs_cuda_link_test.cc ${XSP_ROOFS_CUDA_SHARED})
  target_compile_options(roofs_cuda_link_test PRIVATE -O0)
  target_include_directories(roofs_cuda_link_test PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(roofs_cuda_link_test PRIVATE fmt::fmt nlohmann_json::nlohmann_json)
endif()
