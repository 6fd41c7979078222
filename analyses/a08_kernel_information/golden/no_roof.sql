-- why: without roofs there are intensity and throughput, bound and fraction are empty, and a sentence says so
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 20000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_ns, matched) VALUES
  (1, 0, 'conv1', 'conv', 6000, 5000, 5000, 'all'),
  (1, 1, 'conv2', 'conv', 2500, 2000, 2000, 'all'),
  (1, 2, 'fc', 'linear', 2800, 3000, 3000, 'all'),
  (1, 3, 'bn', 'batch_norm', 1500, 1200, 1200, 'all'),
  (1, 4, 'view', 'view', 10, NULL, NULL, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, flops,
  read_bytes, write_bytes, occupancy, flops_provenance, traffic_provenance, matched) VALUES
  (1, 0, 0, 'convolution brgconv:avx512_core', 'primitive', 'float32', 'vector', 4000, 2000000, 60000, 40000, 0.5, 'analytic', 'analytic', 'all'),
  (1, 1, 0, 'reorder jit:uni', 'primitive', 'float32', 'vector', 1000, 0, 40000, 40000, NULL, 'analytic', 'analytic', 'all'),
  (1, 2, 1, 'convolution brgconv:avx512_core', 'primitive', 'float32', 'vector', 2000, 100000, 60000, 40000, 1.0, 'analytic', 'analytic', 'all'),
  (1, 3, 2, 'inner_product brgemm:avx512_core_amx', 'primitive', 'bfloat16', 'tensor', 3000, 3000000, 60000, 40000, NULL, 'analytic', 'analytic', 'all'),
  (1, 4, 3, 'aten::batch_norm', 'native', 'float32', 'vector', 500, NULL, 5000, 5000, NULL, 'analytic', 'analytic', 'all'),
  (1, 5, NULL, 'memcpy', 'memcpy', NULL, NULL, 300, 0, 0, 0, NULL, 'analytic', 'analytic', 'all'),
  (1, 6, 3, 'matmul int8', 'primitive', 'int8', 'tensor', 700, 1000, 10, 10, NULL, 'analytic', 'analytic', 'all');
