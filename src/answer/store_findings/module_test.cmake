# Experiments are evaluated on several threads.
xsp_label(store_findings_test threads)
