target_link_libraries(xsp_evaluate PRIVATE yaml-cpp)
target_compile_definitions(xsp_evaluate PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_evaluate)
