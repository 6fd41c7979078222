# libxsp.so: the C API for dlopen and for programs of any language. It exports xsp_* and nothing
# else, and needs nothing but the C library; NODELETE because threads that have recorded call back
# into it when they exit.
set(xsp_writer_sources clock.cc file_claim.cc intern_table.cc recording_file.cc recording_state.cc xsp.cc)
list(TRANSFORM xsp_writer_sources PREPEND ${root}/)
add_library(xsp_shared SHARED ${xsp_writer_sources})
xsp_join(xsp_shared)
set_target_properties(xsp_shared PROPERTIES OUTPUT_NAME xsp CXX_VISIBILITY_PRESET hidden
                      LINK_DEPENDS ${root}/libxsp.map)
# The writer throws nothing; saying so keeps the C++ run-time library out of C programs. No sanitizer instrumented the
# programs that it goes into (see src/capture/record/module.cmake).
target_compile_options(xsp_shared PRIVATE -fno-exceptions -fno-sanitize=all)
target_include_directories(xsp_shared PUBLIC ${CMAKE_SOURCE_DIR}/src)
target_link_options(xsp_shared PRIVATE -fno-sanitize=all -Wl,-z,nodelete -Wl,--as-needed
                    -Wl,--version-script=${root}/libxsp.map)
target_link_libraries(xsp_shared PRIVATE Threads::Threads)
