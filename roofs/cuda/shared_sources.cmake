# What xsp-roofs-cuda compiles of src/: XSP_ROOFS_CUDA_SHARED, relative to the repository.
# src/measure/roof_loops/module_test.cmake links them alone, because no test builds this program: it takes nvcc.
set(XSP_ROOFS_CUDA_SHARED src/core/json_text.cc src/derive/roofs/roof_json.cc src/measure/roof_loops/cuda_plan.cc
    src/measure/roof_loops/roof_cache.cc src/os/files.cc src/os/processor.cc)
