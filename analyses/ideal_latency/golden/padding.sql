-- why: of the 9 x 49 multiply-adds of each channel of a 3 x 3 convolution of a 7 x 7 image with a border of 1, 19 x 19 meet the image: 0.8186 of the FLOPs bound it, all of those of a pooling whose problem is not a convolution's; a strided one without padding loses none, 224 x 224 with 7 x 7, stride 2 and a border of 3 loses 778 x 778 of 784 x 784; with two data types the times of one unit add up
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'onnxruntime', 'cpu', 'float32', 1, '{}', 100000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 1, 'layer', 'done', 'layer', 100000);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, source_run, matched) VALUES
  (1, 0, 'padded', 'conv', 40000, 1, 'all'), (1, 1, 'pool', 'pool', 20000, 1, 'all'),
  (1, 2, 'strided', 'conv', 30000, 1, 'all'), (1, 4, 'both', 'conv', 30000, 1, 'all'), (1, 3, 'mixed', 'conv', 9000, 1, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, problem, duration_ns, flops,
  read_bytes, write_bytes, flops_provenance, traffic_provenance, source_run, matched) VALUES
  (1, 0, 0, 'convolution jit', 'primitive', 'float32', 'vector', 'mb1_ic8oc8_ih7oh7kh3sh1dh0ph1_iw7ow7kw3sw1dw0pw1', 40000, 2000000, 0, 0, 'analytic', 'analytic', 1, 'all'),
  (1, 1, 1, 'pooling jit', 'primitive', 'float32', 'vector', 'mb1ic8_ih7oh7kh3sh1dh0ph1_iw7ow7kw3sw1dw0pw1', 20000, 1000000, 0, 0, 'analytic', 'analytic', 1, 'all'),
  (1, 2, 2, 'convolution jit', 'primitive', 'float32', 'vector', 'mb1_ic8oc8_ih9oh4kh3sh2dh0ph0_iw9ow4kw3sw2dw0pw0', 30000, 1000000, 0, 0, 'analytic', 'analytic', 1, 'all'),
  (1, 5, 4, 'convolution jit', 'primitive', 'float32', 'vector', 'mb1_ic3oc64_ih224oh112kh7sh2dh0ph3_iw224ow112kw7sw2dw0pw3', 30000, 1000000, 0, 0, 'analytic', 'analytic', 1, 'all'),
  (1, 3, 3, 'matmul', 'primitive', 'float32', 'vector', NULL, 4000, 400000, 0, 0, 'analytic', 'analytic', 1, 'all'),
  (1, 4, 3, 'matmul', 'primitive', 'int8', 'vector', NULL, 4000, 400000, 0, 0, 'analytic', 'analytic', 1, 'all');
INSERT INTO roof (kind, name, dtype, unit, cores, value, provenance, how, used) VALUES
  ('flops', 'float32 vector', 'float32', 'vector', 1, 1e11, 'measured:xsp', 'test', false),
  ('flops', 'float32 vector', 'float32', 'vector', 2, 2e11, 'measured:xsp', 'test', true),
  ('flops', 'int8 vector', 'int8', 'vector', 2, 4e11, 'measured:xsp', 'test', true),
  ('bandwidth', 'DRAM read', NULL, NULL, 2, 4e10, 'measured:xsp', 'loads, 8000 KiB per core, best of 200', true);
