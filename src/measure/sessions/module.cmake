xsp_glue(xsp_sessions)
