xsp_takes(experiments_test 45)
