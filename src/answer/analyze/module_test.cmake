xsp_takes(analyze_test 20)
