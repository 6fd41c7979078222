target_link_libraries(xsp_manifest PRIVATE yaml-cpp)
xsp_glue(xsp_manifest)
