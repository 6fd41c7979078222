-- why: Python functions and launching calls are passed over, modules of one class are one row, children of different Python chains stay below their module, small rows are left out, and every time stays in a row above
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'imported');
INSERT INTO tree (run_id, rank, node, parent, depth, level, type, name, count, host_ns, host_self_ns, device_ns, device_self_ns, kernels) VALUES
  (1, NULL, 1, NULL, 0, 'application', 'python', 'main.py', 1, 1000, 50, 600, 0, 4),
  (1, NULL, 2, 1, 1, 'layer', 'module', 'nn.Module: Net_0', 1, 900, 100, 600, 0, 4),
  (1, NULL, 3, 2, 2, 'application', 'python', 'forward', 1, 800, 40, 600, 0, 4),
  (1, NULL, 4, 3, 3, 'layer', 'module', 'nn.Module: Linear_0', 1, 400, 20, 300, 0, 2),
  (1, NULL, 5, 4, 4, 'layer', 'aten::addmm', 'aten::addmm', 1, 380, 300, 300, 300, 2),
  (1, NULL, 6, 5, 5, 'library', 'cuda_runtime', 'cudaLaunchKernel', 2, 80, 80, 300, 300, 2),
  (1, NULL, 7, 6, 6, 'kernel', 'kernel', 'gemm', 2, 0, 0, 300, 300, 2),
  (1, NULL, 8, 3, 3, 'layer', 'module', 'nn.Module: Linear_1', 1, 300, 10, 299, 0, 1),
  (1, NULL, 9, 8, 4, 'layer', 'aten::addmm', 'aten::addmm', 1, 290, 290, 299, 299, 1),
  (1, NULL, 10, 9, 5, 'kernel', 'kernel', 'gemm', 1, 0, 0, 299, 299, 1),
  (1, NULL, 11, 3, 3, 'layer', 'aten::fill_', 'aten::fill_', 1, 5, 5, 1, 1, 1),
  (1, NULL, 12, 3, 3, 'library', 'cuda_runtime', 'cudaDeviceSynchronize', 1, 55, 55, 0, 0, 0);
