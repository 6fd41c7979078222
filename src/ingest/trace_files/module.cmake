xsp_glue(xsp_trace_files)
