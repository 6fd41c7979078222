xsp_computes(suggest_test)
