xsp_glue(xsp_requests)
