target_compile_definitions(xsp_compare_page PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_compare_page)
