xsp_label(suite_jobs_test threads)
