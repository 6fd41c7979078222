# Data sets are described in YAML.
target_link_libraries(xsp_suite PRIVATE yaml-cpp)
# What is kept of experiments is kept for one version.
target_compile_definitions(xsp_suite PRIVATE XSP_VERSION="${PROJECT_VERSION}")
