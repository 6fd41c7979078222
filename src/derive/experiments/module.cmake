xsp_glue(xsp_experiments)
