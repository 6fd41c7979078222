xsp_glue(xsp_api)
