xsp_takes(match_test 15)
