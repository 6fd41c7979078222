# What every worker's build includes: the recording, the CPU capture, the pipeline with what it uses of core, the event
# counters and the harness, as one static library, compiled with the worker's own flags. Nothing else of XSP is linked
# into a worker.
#
# xsp_add_worker(<name> SOURCES ... [LIBS ...])
#   Builds xsp-worker-<name> into XSP_WORKER_OUTPUT.
#
# xsp_find_python_package(<name> <title> <header> <variable>)
#   Finds the folder of the Python package <name>, which has the framework's C headers: the cache
#   variable XSP_<NAME>_DIR, else what the worker's requires.sh prints. Without <header> in it the
#   build ends with what to do. Sets <variable>.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()
set(XSP_WORKER_OUTPUT ${CMAKE_BINARY_DIR}/bin CACHE PATH "Where the worker is put")

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH XSP_WORKERS_DIR)
cmake_path(GET XSP_WORKERS_DIR PARENT_PATH XSP_ROOT_DIR)
find_package(nlohmann_json REQUIRED)
find_package(Threads REQUIRED)
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
list(APPEND CMAKE_MODULE_PATH ${XSP_ROOT_DIR}/cmake)
find_package(Utf8proc REQUIRED)

file(GLOB XSP_HARNESS_SOURCES CONFIGURE_DEPENDS
  ${XSP_ROOT_DIR}/src/capture/wire/*.cc ${XSP_ROOT_DIR}/src/capture/record/*.cc ${XSP_ROOT_DIR}/src/pipeline/*/*.cc
  ${XSP_ROOT_DIR}/src/capture/counters/*.cc
  ${XSP_WORKERS_DIR}/harness/*.cc
  # Of core what these use: the rest would ask for Boost.
  ${XSP_ROOT_DIR}/src/core/csv.cc ${XSP_ROOT_DIR}/src/core/dtype.cc ${XSP_ROOT_DIR}/src/core/float16.cc
  ${XSP_ROOT_DIR}/src/core/json_text.cc ${XSP_ROOT_DIR}/src/core/mask.cc ${XSP_ROOT_DIR}/src/core/unicode.cc
  ${XSP_ROOT_DIR}/src/core/utf8.cc)
list(FILTER XSP_HARNESS_SOURCES EXCLUDE REGEX "_(test|bench|fuzz|main)\\.cc$")
add_library(xsp_worker_harness STATIC ${XSP_HARNESS_SOURCES})
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)  # A joined file is not a header.
# Joined, as in the presets of XSP's own build (XSP_UNITY): half the time, seven workers over.
include(${XSP_ROOT_DIR}/cmake/JoinSources.cmake)
xsp_join(xsp_worker_harness)
set_source_files_properties(${XSP_ROOT_DIR}/src/capture/record/cpu_capture.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_include_directories(xsp_worker_harness PUBLIC ${XSP_ROOT_DIR}/src ${XSP_WORKERS_DIR})
target_link_libraries(xsp_worker_harness PRIVATE nlohmann_json::nlohmann_json JPEG::JPEG PNG::PNG Utf8proc::Utf8proc
                      PUBLIC Threads::Threads ${CMAKE_DL_LIBS})
target_compile_options(xsp_worker_harness PRIVATE -Wall -Wextra -Wpedantic -Werror)

function(xsp_find_python_package NAME TITLE HEADER VARIABLE)
  string(TOUPPER XSP_${NAME}_DIR option)
  set(${option} "" CACHE PATH "The folder of the Python package ${NAME}")
  set(folder "${${option}}")
  if(NOT folder)
    execute_process(COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/requires.sh --print
                    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
  if(NOT EXISTS "${folder}/include/${HEADER}")
    message(FATAL_ERROR "no ${TITLE} with C headers found: '${folder}'. Run workers/${NAME}/install.sh "
                        "or give -D${option}=<site-packages>/${NAME}.")
  endif()
  message(STATUS "${TITLE}: ${folder}")
  set(${VARIABLE} ${folder} PARENT_SCOPE)
endfunction()

function(xsp_add_worker NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBS" ${ARGN})
  add_executable(xsp-worker-${NAME} ${ARG_SOURCES})
  target_link_libraries(xsp-worker-${NAME} PRIVATE xsp_worker_harness ${ARG_LIBS})
  target_compile_options(xsp-worker-${NAME} PRIVATE -Wall -Wextra -Wpedantic -Werror)
  xsp_join(xsp-worker-${NAME})
  # Libraries that are loaded into a worker (libxsp-cuda.so) bring libxsp.so along: by the
  # executable's symbols, which come first, they record into the worker's recording.
  target_link_options(xsp-worker-${NAME} PRIVATE "-Wl,--export-dynamic-symbol=xsp_*")
  set_target_properties(xsp-worker-${NAME} PROPERTIES
                        RUNTIME_OUTPUT_DIRECTORY ${XSP_WORKER_OUTPUT})
endfunction()
