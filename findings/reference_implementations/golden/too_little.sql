-- why: just below 1 % of kernel time
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, implementation, matched) VALUES
  (2, 0, 'convolution jit:avx512', 'primitive', 'float32', 'vector',
   99.1e6, 1e9, 1e6, 1e6, 'analytic', 'jit:avx512_core', 'all'),
  (2, 1, 'pooling ref:any', 'primitive', 'float32', 'vector', 0.5e6, 1e6, 1e6, 1e6, 'analytic', 'ref:any', 'all'),
  (2, 2, 'matmul gemm:ref:any', 'primitive', 'float32', 'vector',
   0.5e6, 1e6, 1e6, 1e6, 'analytic', 'gemm:ref:any', 'all');
