target_compile_definitions(xsp_report PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_report)
