target_link_libraries(xsp_manifest PRIVATE yaml-cpp)
