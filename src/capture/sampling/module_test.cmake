# Programs to be sampled, compiled as most are: without frame pointers, and a stripped library.
add_library(sampling_stripped_library SHARED ${root}/stripped_library_main.cc)
target_compile_options(sampling_stripped_library PRIVATE -O2 -fomit-frame-pointer -fno-sanitize=all)
target_link_options(sampling_stripped_library PRIVATE -s -fno-sanitize=all)
add_executable(sampling_probe ${root}/sampling_probe_main.cc)
target_compile_options(sampling_probe PRIVATE -O2 -fomit-frame-pointer -fno-sanitize=all)
target_link_options(sampling_probe PRIVATE -fno-sanitize=all)
target_link_libraries(sampling_probe PRIVATE sampling_stripped_library Threads::Threads)
target_compile_definitions(sampling_test PRIVATE
  XSP_SAMPLING_PROBE="$<TARGET_FILE:sampling_probe>")
add_dependencies(sampling_test sampling_probe)
xsp_label(sampling_test threads)
