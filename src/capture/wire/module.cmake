# libxsp.so: the C API for dlopen and for programs of any language. It exports xsp_* and nothing
# else, and needs nothing but the C library; NODELETE because threads that have recorded call back
# into it when they exit.
set(xsp_writer_sources clock.cc file_claim.cc intern_table.cc recording_file.cc recording_state.cc xsp.cc)
list(TRANSFORM xsp_writer_sources PREPEND ${root}/)
# The writer throws nothing; saying so keeps the C++ run-time library out of C programs.
set_source_files_properties(${xsp_writer_sources} PROPERTIES COMPILE_OPTIONS -fno-exceptions)
add_library(xsp_shared SHARED ${xsp_writer_sources})
set_target_properties(xsp_shared PROPERTIES OUTPUT_NAME xsp CXX_VISIBILITY_PRESET hidden
                      LINK_DEPENDS ${root}/libxsp.map)
# It goes into programs that no sanitizer instrumented (see src/capture/record/module.cmake).
target_compile_options(xsp_shared PRIVATE -fno-sanitize=all)
target_include_directories(xsp_shared PUBLIC ${CMAKE_SOURCE_DIR}/src)
target_link_options(xsp_shared PRIVATE -fno-sanitize=all -Wl,-z,nodelete -Wl,--as-needed
                    -Wl,--version-script=${root}/libxsp.map)
target_link_libraries(xsp_shared PRIVATE Threads::Threads)
