xsp_takes(report_test 20)
