# Its first lines say how the C library's headers are to be read: in a joined file they come too late.
set_source_files_properties(${root}/cpu_capture.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

# Every sub-folder with C++ in it is one library that is loaded into a measured program: libxsp-<folder>.so, made of
# its *.cc, those of its own sub-folders (but testing/) and process.cc, over libxsp.so (one recording a process, whichever
# libraries are in it). Its tests, which link the same objects and the recorder as an archive, become
# record_<folder>_test; each *_bench.cc is a program of its own over libxsp.so. A folder that needs more says so in its
# module.cmake, which may also set XSP_SKIP_LIBRARY where what it needs is not here.
#
# The libraries carry their own C++ run-time library, export nothing but what their exports.map names, and are never
# instrumented by a sanitizer: they go into programs that are not.
set(xsp_injected_libraries)
file(GLOB entries CONFIGURE_DEPENDS ${root}/*)
foreach(entry IN LISTS entries)
  if(NOT IS_DIRECTORY ${entry})
    continue()
  endif()
  cmake_path(GET entry FILENAME library)
  file(GLOB library_sources CONFIGURE_DEPENDS ${entry}/*.cc ${entry}/*/*.cc)
  list(FILTER library_sources EXCLUDE REGEX "/testing/[^/]*$")
  set(library_tests ${library_sources})
  list(FILTER library_tests INCLUDE REGEX "_test\\.cc$")
  list(FILTER library_sources EXCLUDE REGEX "_(test|bench|main)\\.cc$")
  if(NOT library_sources)
    continue()
  endif()
  set(XSP_SKIP_LIBRARY OFF)
  set(XSP_LIBRARY_INCLUDES)  # Folders of headers that are not ours.
  set(XSP_LIBRARY_SHARED_SOURCES ${root}/process.cc)  # Of src/capture/record itself; a folder may add.
  set(XSP_LIBRARY_TEST_LIBS)
  set(XSP_LIBRARY_TEST_DEFINITIONS)
  set(XSP_LIBRARY_TEST_NEEDS)  # Targets, such as programs that the tests run.
  if(EXISTS ${entry}/module.cmake)
    include(${entry}/module.cmake)
  endif()
  if(XSP_SKIP_LIBRARY)
    message(STATUS "libxsp-${library}.so: not built: ${XSP_SKIP_LIBRARY}")
    set_property(GLOBAL APPEND PROPERTY XSP_HEADERS_LEFT_OUT "capture/record/${library}/")
    continue()
  endif()
  set_property(GLOBAL APPEND PROPERTY XSP_HEADER_INCLUDES ${XSP_LIBRARY_INCLUDES})
  add_library(xsp_inject_${library} SHARED ${library_sources} ${XSP_LIBRARY_SHARED_SOURCES})
  set_target_properties(xsp_inject_${library} PROPERTIES
    OUTPUT_NAME xsp-${library} CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON
    BUILD_RPATH "$ORIGIN" INSTALL_RPATH "$ORIGIN" LINK_DEPENDS ${entry}/exports.map)
  target_include_directories(xsp_inject_${library} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(xsp_inject_${library} SYSTEM PRIVATE ${XSP_LIBRARY_INCLUDES})
  target_compile_options(xsp_inject_${library} PRIVATE -fno-sanitize=all)
  target_link_options(xsp_inject_${library} PRIVATE -fno-sanitize=all -static-libstdc++ -static-libgcc
    -Wl,--exclude-libs,ALL -Wl,-z,nodelete -Wl,--version-script=${entry}/exports.map)
  target_link_libraries(xsp_inject_${library} PRIVATE xsp_shared Threads::Threads ${CMAKE_DL_LIBS})
  list(APPEND xsp_injected_libraries xsp_inject_${library})
  if(library_tests AND XSP_TESTS)
    xsp_test(record_${library}_test SOURCES ${library_tests} ${library_sources}
             LIBS xsp_record ${XSP_LIBRARY_TEST_LIBS} ${CMAKE_DL_LIBS})
    xsp_label(record_${library}_test release threads)
    target_include_directories(record_${library}_test SYSTEM PRIVATE ${XSP_LIBRARY_INCLUDES})
    target_compile_definitions(record_${library}_test PRIVATE
      XSP_INJECTED_LIBRARY="$<TARGET_FILE:xsp_inject_${library}>" ${XSP_LIBRARY_TEST_DEFINITIONS})
    add_dependencies(record_${library}_test xsp_inject_${library} ${XSP_LIBRARY_TEST_NEEDS})
  endif()
  file(GLOB library_benches CONFIGURE_DEPENDS ${entry}/*_bench.cc)
  if(library_benches AND XSP_BENCHES)
    xsp_benches(record_${library} ${entry} xsp_shared ${CMAKE_DL_LIBS})
    foreach(bench IN LISTS library_benches)
      cmake_path(GET bench STEM bench)
      target_include_directories(${bench} SYSTEM PRIVATE ${XSP_LIBRARY_INCLUDES})
      target_compile_definitions(${bench} PRIVATE
        XSP_INJECTED_LIBRARY="$<TARGET_FILE:xsp_inject_${library}>")
      add_dependencies(${bench} xsp_inject_${library})
    endforeach()
  endif()
endforeach()

# The start-up hook of Python programs, beside the libraries that it loads.
file(GLOB_RECURSE hook_files CONFIGURE_DEPENDS RELATIVE ${root} ${root}/python_hook/*.py)
set(hook_copies)
foreach(file IN LISTS hook_files)
  set(copy ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${file})
  add_custom_command(OUTPUT ${copy} DEPENDS ${root}/${file}
                     COMMAND ${CMAKE_COMMAND} -E copy ${root}/${file} ${copy})
  list(APPEND hook_copies ${copy})
endforeach()
add_custom_target(xsp_python_hook ALL DEPENDS ${hook_copies})
