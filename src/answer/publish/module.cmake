target_compile_definitions(xsp_publish PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_publish)
