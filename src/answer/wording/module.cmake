xsp_glue(xsp_wording)
