# Data sets are described in YAML.
target_link_libraries(xsp_suite PRIVATE yaml-cpp)
