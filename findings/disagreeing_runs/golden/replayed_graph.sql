-- why: layers were measured one by one, without replaying the graph that the model and kernel runs replay
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', 1, '{}', 827e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, latency_low_ns, latency_high_ns, baseline_ns, graph)
VALUES (1, 1, 'model', 'done', 'a', 827e3, 825e3, 829e3, NULL, 'eager, CUDA graph'),
  (2, 1, 'layer', 'done', 'b', 3610e3, 3600e3, 3620e3, 2060e3, 'eager'),
  (3, 1, 'kernel', 'done', 'c', 900e3, 890e3, 910e3, 863e3, 'eager, CUDA graph');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, source_run, matched)
VALUES (1, 0, 'a', 'linear', 180e3, 500e3, 540e3, 2, 'all'), (1, 1, 'b', 'relu', 60e3, 170e3, 180e3, 2, 'all');
