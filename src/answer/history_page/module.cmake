xsp_glue(xsp_history_page)
