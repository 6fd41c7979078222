# Manifests are YAML.
target_link_libraries(${library} PRIVATE yaml-cpp)
xsp_glue(${library})
