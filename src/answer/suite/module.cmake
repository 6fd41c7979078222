# Commands declare their options themselves; data sets are described in YAML.
target_link_libraries(xsp_suite PUBLIC CLI11::CLI11 PRIVATE yaml-cpp)
