target_compile_definitions(xsp_experiments PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_experiments)
