# Built where CUPTI's headers are: those that tools/setup --cuda unpacks, else a CUDA toolkit's.
# Only headers are needed; libcupti itself is loaded at run time (cupti/cupti_api.cc).
find_path(XSP_CUPTI_INCLUDE cupti_activity.h
  HINTS ${XSP_DEPS_DIR}/cuda/include $ENV{CUDA_HOME}/include
        $ENV{CUDA_HOME}/extras/CUPTI/include /usr/local/cuda/include
        /usr/local/cuda/extras/CUPTI/include
  NO_DEFAULT_PATH)
find_path(XSP_CUDA_INCLUDE crt/host_defines.h
  HINTS ${XSP_DEPS_DIR}/cuda/include $ENV{CUDA_HOME}/include /usr/local/cuda/include
  NO_DEFAULT_PATH)
if(NOT XSP_CUPTI_INCLUDE OR NOT XSP_CUDA_INCLUDE)
  set(XSP_SKIP_LIBRARY "no CUPTI headers: tools/setup --cuda")
else()
  set(XSP_LIBRARY_INCLUDES ${XSP_CUPTI_INCLUDE} ${XSP_CUDA_INCLUDE})
  # The assembler copies the table of metrics into the library.
  set_source_files_properties(${entry}/metrics/metric_table.cc PROPERTIES
    COMPILE_DEFINITIONS "XSP_CUDA_METRICS_TABLE=\"${CMAKE_SOURCE_DIR}/machine/cuda_metrics.csv\""
    OBJECT_DEPENDS ${CMAKE_SOURCE_DIR}/machine/cuda_metrics.csv)
  if(XSP_TESTS)
    # A libcupti and a program that the tests put together with the library; neither is installed.
    add_library(xsp_fake_cupti SHARED EXCLUDE_FROM_ALL ${entry}/testing/fake_cupti.cc
      ${entry}/testing/fake_profiler.cc)
    add_executable(xsp_cuda_metrics_program EXCLUDE_FROM_ALL ${entry}/testing/metrics_program.cc)
    add_executable(xsp_cuda_program EXCLUDE_FROM_ALL ${entry}/testing/program.cc)
    # The same with the recorder in the executable, which exports it, as workers do.
    add_executable(xsp_cuda_worker EXCLUDE_FROM_ALL ${entry}/testing/program.cc)
    add_library(xsp_fake_cupti_12 SHARED EXCLUDE_FROM_ALL ${entry}/testing/fake_cupti.cc)
    target_compile_definitions(xsp_fake_cupti_12 PRIVATE FAKE_CUDA_12)
    add_library(xsp_fake_driver SHARED EXCLUDE_FROM_ALL ${entry}/testing/fake_driver.cc)
    # In a folder of its own: nothing else may take it for the driver.
    set_target_properties(xsp_fake_driver PROPERTIES OUTPUT_NAME cuda SOVERSION 1
      LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fake_driver)
    foreach(made xsp_fake_cupti xsp_fake_cupti_12 xsp_fake_driver xsp_cuda_program
            xsp_cuda_worker xsp_cuda_metrics_program)
      target_include_directories(${made} PRIVATE ${CMAKE_SOURCE_DIR}/src)
      target_include_directories(${made} SYSTEM PRIVATE ${XSP_LIBRARY_INCLUDES})
      target_compile_options(${made} PRIVATE -fno-sanitize=all)
      target_link_options(${made} PRIVATE -fno-sanitize=all)
      target_link_libraries(${made} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
    endforeach()
    target_link_libraries(xsp_cuda_program PRIVATE xsp_shared)
    target_link_libraries(xsp_cuda_metrics_program PRIVATE xsp_shared)
    foreach(writer ${xsp_writer_sources})
      target_sources(xsp_cuda_worker PRIVATE ${writer})
    endforeach()
    target_link_options(xsp_cuda_worker PRIVATE "-Wl,--export-dynamic-symbol=xsp_*")
    # What the library keeps up with: docs/cuda.md. By hand, as it takes minutes and gigabytes.
    add_executable(xsp_cuda_events EXCLUDE_FROM_ALL ${entry}/testing/events_main.cc)
    target_link_libraries(xsp_cuda_events PRIVATE xsp_wire)
    xsp_paths(xsp_cuda_events kInjectedLibrary $<TARGET_FILE:xsp_inject_cuda>
      kFakeCupti $<TARGET_FILE:xsp_fake_cupti> kFakeDriver $<TARGET_FILE:xsp_fake_driver>
      kCudaProgram $<TARGET_FILE:xsp_cuda_program>)
    add_dependencies(xsp_cuda_events xsp_inject_cuda xsp_fake_cupti xsp_fake_driver xsp_cuda_program)
    add_library(xsp_cuda_test_tools INTERFACE)
    xsp_paths(xsp_cuda_test_tools
      kFakeCupti $<TARGET_FILE:xsp_fake_cupti>
      kFakeCupti12 $<TARGET_FILE:xsp_fake_cupti_12>
      kFakeDriver $<TARGET_FILE:xsp_fake_driver>
      kCudaProgram $<TARGET_FILE:xsp_cuda_program>
      kCudaWorker $<TARGET_FILE:xsp_cuda_worker>
      kCudaMetricsProgram $<TARGET_FILE:xsp_cuda_metrics_program>
      kCudaSamples ${entry}/testing)
    add_dependencies(xsp_cuda_test_tools xsp_fake_cupti xsp_fake_cupti_12 xsp_fake_driver
                     xsp_cuda_program xsp_cuda_worker xsp_cuda_metrics_program)
    set(XSP_LIBRARY_TEST_LIBS xsp_cuda_test_tools)
  endif()
endif()
