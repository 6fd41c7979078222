-- why: 100 samples are enough; a function with 5 % of them is named, one with less is not
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 2, 'recorded', 'done', 'a');
INSERT INTO call_tree (run_id, node, parent, depth, kind, frame, module, samples, self_samples) VALUES
  (1, 1, NULL, 0, 'native', 'gemm', 'lib.so', 91, 91),
  (1, 2, NULL, 0, 'native', 'memcpy', 'lib.so', 5, 5),
  (1, 3, NULL, 0, 'native', 'parse', 'lib.so', 4, 4);
