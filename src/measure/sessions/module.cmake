target_compile_definitions(xsp_sessions PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_sessions)
