target_compile_definitions(xsp_mcp PRIVATE XSP_VERSION="${PROJECT_VERSION}")
