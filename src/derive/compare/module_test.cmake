xsp_computes(compare_test)
