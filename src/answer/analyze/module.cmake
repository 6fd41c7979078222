target_link_libraries(xsp_analyze PRIVATE yaml-cpp)
xsp_glue(xsp_analyze)
