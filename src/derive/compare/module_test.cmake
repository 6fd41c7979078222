xsp_computes(compare_test)
xsp_takes(compare_test 30)
