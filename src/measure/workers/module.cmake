xsp_glue(xsp_workers)
