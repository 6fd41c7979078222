xsp_takes(findings_test 80)
