target_compile_definitions(xsp_store_findings PRIVATE XSP_VERSION="${PROJECT_VERSION}")
xsp_glue(xsp_store_findings)
