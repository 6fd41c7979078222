xsp_glue(xsp_protocols)
