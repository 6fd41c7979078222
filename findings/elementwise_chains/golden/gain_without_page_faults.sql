-- why: three quarters of 10 ms in simple operators, of which the operating system took half for page faults: an allocator saves that
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 50e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES (1, 1, 'layer', 'done', 'a', 100e6);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'linear', 'aten::linear', '[4,64,56,56]', 50000000.0, 'all'),
  (1, 1, 'm0', 'aten::mul', '[4,64,56,56]', 5000000.0, 'all'),
  (1, 2, 'a', 'aten::add_', '[[4,64,56,56],[4,64,56,56]]', 5000000.0, 'all'),
  (1, 3, 't', 'aten::tanh', '[4,64,56,56]', 5000000.0, 'all'),
  (1, 4, 'm1', 'aten::mul', '[4,64,56,56]', 5000000.0, 'all');
UPDATE layer SET source_run = 1;
UPDATE point SET cores = 1;
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (2, 1, 'model', 'done', 'b');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, system_ns, page_faults, rung)
VALUES (2, 0, 50e6, false, 20e6, 5000, 'model'), (2, 1, 50e6, false, 30e6, 5000, NULL), (2, 2, 90e6, false, 0, 0, 'layer');
