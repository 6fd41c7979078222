xsp_glue(xsp_suggest)
