# Experiments and reports are written on several threads.
xsp_label(publish_test threads)
xsp_takes(publish_test 20)
