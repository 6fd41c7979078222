-- why: on a CPU there is no device time and no share of it; primitives are the lowest rows; ranks have trees of their own
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 100, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'kernel', 'done', 'kernel-1');
INSERT INTO tree (run_id, rank, node, parent, depth, level, type, name, count, host_ns, host_self_ns, device_ns, device_self_ns, kernels) VALUES
  (1, 0, 1, NULL, 0, 'model', 'predict', 'predict', 10, 1000, 100, 0, 0, 10),
  (1, 0, 2, 1, 1, 'layer', 'aten::conv2d', 'aten::conv2d', 10, 900, 200, 0, 0, 10),
  (1, 0, 3, 2, 2, 'kernel', 'primitive', 'convolution', 10, 700, 700, 0, 0, 10),
  (1, 1, 4, NULL, 0, 'model', 'predict', 'predict', 10, 500, 500, 0, 0, 0);
