xsp_glue(xsp_sweeps)
