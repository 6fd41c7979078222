-- why: both gradients of a convolution are the work of two kernels together, which only the layer has: 4 MFLOP and 50 kB in 5 us, of which 0.01 MFLOP are those of the kernel with a cost of its own; at 3.99 MFLOP / 4 TFLOP/s + 0.01 MFLOP / 1 TFLOP/s the peak is 3.97 TFLOP/s
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cuda:0', 'bfloat16', 1, '{}', 20000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'imported');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_ns, flops, read_bytes, write_bytes,
  flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 'conv1 gradients', 'aten::convolution_backward', 6000, 5000, 5000, 4000000, 30000, 20000, 'analytic', 'analytic', 'all'),
  (1, 1, 'fc', 'aten::linear', 2500, 2000, 2000, 1000000, 60000, 40000, 'analytic', 'analytic', 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops,
  read_bytes, write_bytes, occupancy, flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 0, 'dgrad', 'kernel', 'bfloat16', 'tensor', 2500, NULL, NULL, NULL, NULL, NULL, NULL, 'all'),
  (1, 1, 0, 'nchwToNhwc', 'kernel', NULL, NULL, 500, NULL, NULL, NULL, NULL, NULL, NULL, 'all'),
  (1, 2, 0, 'wgrad', 'kernel', 'bfloat16', 'tensor', 1500, NULL, NULL, NULL, NULL, NULL, NULL, 'all'),
  (1, 3, 0, 'add', 'kernel', 'float32', 'vector', 500, 10000, 5000, 5000, NULL, 'analytic', 'analytic', 'all'),
  (1, 4, 1, 'gemm', 'kernel', 'bfloat16', 'tensor', 2000, 1000000, 60000, 40000, NULL, 'analytic', 'analytic', 'all');
INSERT INTO roof (kind, name, dtype, unit, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1e12, 'data_sheet', 'test', true),
  ('flops', 'bfloat16 tensor', 'bfloat16', 'tensor', 4e12, 'data_sheet', 'test', true),
  ('bandwidth', 'DRAM', NULL, NULL, 1e11, 'data_sheet', 'test', true);
