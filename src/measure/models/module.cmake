xsp_glue(xsp_models)
