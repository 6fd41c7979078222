-- why: other programs took most of the time, so the rule is withheld
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO kernel (point_id, kernel_index, name, type, dtype, unit, duration_ns, flops, read_bytes, write_bytes,
  traffic_provenance, implementation, matched) VALUES
  (2, 0, 'convolution jit:avx512', 'primitive', 'float32', 'vector',
   90e6, 1e9, 1e6, 1e6, 'analytic', 'jit:avx512_core', 'all'),
  (2, 1, 'pooling ref:any', 'primitive', 'float32', 'vector', 5e6, 1e6, 1e6, 1e6, 'analytic', 'ref:any', 'all'),
  (2, 2, 'matmul gemm:ref:any', 'primitive', 'float32', 'vector',
   5e6, 1e6, 1e6, 1e6, 'analytic', 'gemm:ref:any', 'all');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 2, 'layer', 'done', 'a', 40e6);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, source_run, matched)
VALUES (2, 2, 'x', 'aten::conv2d', 30e6, 1, 'all');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, waited_ns) VALUES (1, 0, 40000000, true, 24000000);
