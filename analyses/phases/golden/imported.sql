-- why: phases of an imported trace tell by name; Python functions are opened; what comes after the first backward node is no forward pass; copies and results read back lie between; autograd's own threads count where no wait for them was recorded (rank 1), and a run that trains nothing (point 2) has no phases
INSERT INTO point (point_id, model, backend, device, precision, settings, status) VALUES
  (1, 'trace.json', 'PyTorch', 'cuda:0', 'float32', '{}', 'done'),
  (2, 'infer.json', 'PyTorch', 'cpu', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a'), (2, 1, 'imported', 'done', 'b'), (3, 2, 'imported', 'done', 'c');
INSERT INTO tree (run_id, rank, node, parent, depth, level, type, name, count, host_ns, host_self_ns, device_ns, device_self_ns, kernels) VALUES
  (1, 0, 1, NULL, 0, 'application', 'step', 'ProfilerStep*', 2, 1000, 0, 100, 0, 20),
  (1, 0, 2, 1, 1, 'application', 'range', 'enumerate(DataLoader)#_Iter.__next__', 2, 50, 0, 0, 0, 0),
  (1, 0, 3, 1, 1, 'application', 'python', 'train.py(3): step', 2, 900, 0, 100, 0, 20),
  (1, 0, 4, 3, 2, 'layer', 'aten::to', 'aten::to', 2, 20, 0, 10, 0, 2),
  (1, 0, 5, 3, 2, 'layer', 'module', 'nn.Module: Net_0', 2, 300, 0, 40, 0, 8),
  (1, 0, 6, 5, 3, 'layer', 'aten::linear', 'aten::linear', 2, 290, 0, 40, 0, 8),
  (1, 0, 7, 3, 2, 'application', 'python', '<built-in method run_backward of torch._C._EngineBase>', 2, 400, 0, 0, 0, 0),
  (1, 0, 8, 3, 2, 'layer', 'aten::linalg_vector_norm', 'aten::linalg_vector_norm', 2, 30, 0, 5, 0, 2),
  (1, 0, 9, 3, 2, 'application', 'range', 'Optimizer.step#SGD.step', 2, 100, 0, 20, 0, 4),
  (1, 0, 10, 9, 3, 'layer', 'aten::add_', 'aten::add_', 2, 90, 0, 20, 0, 4),
  (1, 0, 11, NULL, 0, 'layer', 'x', 'autograd::engine::evaluate_function: MmBackward0', 4, 350, 0, 60, 0, 6),
  (2, 1, 1, NULL, 0, 'application', 'step', 'ProfilerStep*', 1, 500, 0, 50, 0, 6),
  (2, 1, 2, 1, 1, 'application', 'range', 'Optimizer.zero_grad#SGD.zero_grad', 1, 10, 0, 0, 0, 0),
  (2, 1, 3, 1, 1, 'layer', 'aten::linear', 'aten::linear', 1, 200, 0, 20, 0, 2),
  (2, 1, 4, 1, 1, 'application', 'range', 'Optimizer.step#SGD.step', 1, 40, 0, 30, 0, 4),
  (2, 1, 5, NULL, 0, 'layer', 'x', 'MmBackward', 1, 180, 0, 60, 0, 6),
  (2, 1, 6, NULL, 0, 'layer', 'x', 'torch::autograd::AccumulateGrad', 1, 40, 0, 0, 0, 0),
  (3, NULL, 1, NULL, 0, 'application', 'step', 'ProfilerStep*', 1, 500, 0, 50, 0, 6),
  (3, NULL, 2, 1, 1, 'layer', 'aten::linear', 'aten::linear', 1, 200, 0, 20, 0, 2);
