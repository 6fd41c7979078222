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
target_link_libraries(xsp_worker_harness PUBLIC xsp_headers xsp_pipeline xsp_wire xsp_record xsp_counters)
xsp_test(worker_harness_test SOURCES ${harness_tests} LIBS xsp_worker_harness)

# The example as a third party would build it is workers/example/CMakeLists.txt; this one has the
# sanitizers of the build, and a folder of its own.
add_executable(xsp-worker-example ${CMAKE_SOURCE_DIR}/workers/example/example.c
                                  ${CMAKE_SOURCE_DIR}/workers/example/toy.c)
target_link_libraries(xsp-worker-example PRIVATE xsp_worker_harness m)
target_link_options(xsp-worker-example PRIVATE "-Wl,--export-dynamic-symbol=xsp_*")
set_target_properties(xsp-worker-example PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                      ${CMAKE_BINARY_DIR}/test-workers)

# What each test runs is a program of a build of its own: only where it is there, the test does not skip.
file(GLOB worker_tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/workers/tests/worker*_test.cc)
foreach(source ${worker_tests})
  cmake_path(GET source STEM name)
  add_executable(${name} ${source} ${CMAKE_SOURCE_DIR}/workers/tests/sample_model.cc
                 ${CMAKE_SOURCE_DIR}/workers/tests/worker_run.cc)
  target_link_libraries(${name} PRIVATE xsp_headers xsp_base xsp_wire GTest::gmock
                                        GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/workers)
  target_compile_definitions(${name} PRIVATE
    XSP_WORKER_FOLDER="${CMAKE_BINARY_DIR}/bin"
    XSP_TEST_WORKER_FOLDER="${CMAKE_BINARY_DIR}/test-workers")
  # Parts of a worker that need nothing of its framework.
  if(name STREQUAL worker_onnxruntime_fusion_test)
    target_sources(${name} PRIVATE ${CMAKE_SOURCE_DIR}/workers/onnxruntime/fused_nodes.cc
                                   ${CMAKE_SOURCE_DIR}/workers/onnxruntime/onnx_graph.cc
                                   ${CMAKE_SOURCE_DIR}/workers/protobuf/message.cc)
  endif()
  if(name STREQUAL worker_test)
    add_dependencies(worker_test xsp-worker-example)
    gtest_discover_tests(worker_test DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 300)
  elseif(name STREQUAL worker_onnxruntime_fusion_test)
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST)
  elseif(name STREQUAL worker_conformance_test)
    # One test: which there are depends on the workers that are built when it runs.
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES TIMEOUT 1800 LABELS worker)
  else()
    gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES TIMEOUT 900 LABELS worker)
  endif()
endforeach()
