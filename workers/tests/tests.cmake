# Tests of the workers, part of XSP's own build: they have the recording's reader at hand.
#
# worker_harness_test   the harness's parts, by themselves
# worker_test           the protocol, the recording and the faults, with workers/example
# worker_NAME_test      xsp-worker-NAME, where tools/build has built it (label worker)
# worker_NAME_PART_test    a part of that worker by itself
# worker_conformance_test  every xsp-worker-* that is built (label worker)

file(GLOB harness_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workers/harness/*.cc)
set(harness_tests ${harness_sources})
list(FILTER harness_sources EXCLUDE REGEX "_test\\.cc$")
list(FILTER harness_tests INCLUDE REGEX "_test\\.cc$")
add_library(xsp_worker_harness STATIC ${harness_sources})
xsp_join(xsp_worker_harness)
target_include_directories(xsp_worker_harness PUBLIC ${CMAKE_SOURCE_DIR}/workers)
target_link_libraries(xsp_worker_harness PUBLIC xsp_headers xsp_datasets xsp_wire xsp_record xsp_counters)
xsp_test(worker_harness_test SOURCES ${harness_tests} LIBS xsp_worker_harness)
xsp_label(worker_harness_test threads)

# The example as a third party would build it is workers/example/CMakeLists.txt; this one has the
# sanitizers of the build, and a folder of its own.
add_executable(xsp-worker-example ${CMAKE_SOURCE_DIR}/workers/example/example.c
                                  ${CMAKE_SOURCE_DIR}/workers/example/toy.c)
target_link_libraries(xsp-worker-example PRIVATE xsp_worker_harness m)
target_link_options(xsp-worker-example PRIVATE "-Wl,--export-dynamic-symbol=xsp_*")
set_target_properties(xsp-worker-example PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                      ${CMAKE_BINARY_DIR}/test-workers)

# What a test labelled worker runs is a program of a build of its own, which no sanitizer instruments: where it is not
# there, the test skips.
file(GLOB worker_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workers/tests/worker*_test.cc)
foreach(source ${worker_tests})
  cmake_path(GET source STEM name)
  set(needs_framework ON)
  if(name MATCHES "^(worker_test|worker_onnxruntime_fusion_test|worker_onnx_inputs_test)$")
    set(needs_framework OFF)
  elseif(XSP_SANITIZE)
    continue()
  endif()
  add_executable(${name} ${source} ${CMAKE_SOURCE_DIR}/workers/tests/sample_model.cc
                 ${CMAKE_SOURCE_DIR}/workers/tests/warm_python.cc ${CMAKE_SOURCE_DIR}/workers/tests/worker_run.cc)
  target_link_libraries(${name} PRIVATE xsp_os xsp_wire xsp_test_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/workers)
  xsp_paths(${name} kWorkerFolder ${CMAKE_BINARY_DIR}/bin kTestWorkerFolder ${CMAKE_BINARY_DIR}/test-workers)
  set_property(GLOBAL APPEND PROPERTY XSP_TEST_PROGRAMS ${name})
  if(needs_framework)
    xsp_label(${name} worker)
    xsp_takes(${name} 70)
  else()
    xsp_label(${name} unit)
  endif()
  # Parts of a worker that need nothing of its framework.
  if(name STREQUAL worker_onnxruntime_fusion_test)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/workers/onnxruntime/fused_nodes.cc
                                   ${CMAKE_SOURCE_DIR}/workers/onnxruntime/onnx_graph.cc
                                   ${CMAKE_SOURCE_DIR}/workers/onnxruntime/unpadded_sizes.cc
                                   ${CMAKE_SOURCE_DIR}/workers/protobuf/message.cc)
  elseif(name STREQUAL worker_onnx_inputs_test)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/workers/protobuf/message.cc
                                   ${CMAKE_SOURCE_DIR}/workers/protobuf/onnx_inputs.cc)
  elseif(name STREQUAL worker_test)
    add_dependencies(worker_test xsp-worker-example)
  endif()
endforeach()
