# One case trains with PyTorch, which is not there yet when the sanitizers' tests run.
xsp_label(suite_scaling_test release)
xsp_takes(suite_scaling_test 15)
