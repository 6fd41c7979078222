xsp_glue(xsp_alternatives)
