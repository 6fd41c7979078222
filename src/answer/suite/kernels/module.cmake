# Rule files are YAML.
target_link_libraries(xsp_suite_kernels PRIVATE yaml-cpp)
