target_compile_definitions(xsp_base PRIVATE XSP_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
