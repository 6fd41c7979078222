target_compile_definitions(xsp_mcp PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_mcp)
