-- why: self time is summed over callers; "little" is below 5 %, Python functions are not compared
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 2, 'recorded', 'done', 'a');
INSERT INTO call_tree (run_id, node, parent, depth, kind, frame, module, samples, self_samples) VALUES
  (1, 1, NULL, 0, 'native', 'gemm', 'lib.so', 50, 50),
  (1, 2, NULL, 0, 'native', 'gemm', 'lib.so', 30, 30),
  (1, 3, NULL, 0, 'native', 'parse', 'lib.so', 116, 116),
  (1, 4, NULL, 0, 'native', 'little', 'lib.so', 4, 4),
  (1, 5, NULL, 0, 'python', 'main', 'lib.so', 900, 900);
