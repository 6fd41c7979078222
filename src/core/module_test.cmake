xsp_label(core_test threads)

# Estimates for programs in other languages: bench/calibration.py.
add_executable(estimate_probe ${root}/estimate_probe_main.cc)
target_link_libraries(estimate_probe PRIVATE xsp_core)
