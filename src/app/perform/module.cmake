xsp_glue(xsp_perform)
