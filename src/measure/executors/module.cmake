xsp_glue(xsp_executors)
