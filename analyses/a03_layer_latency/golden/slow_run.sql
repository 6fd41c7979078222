-- why: a kernel run that took 3 times as long as the model run: shares are of the calls of the run that shows the time, and none is above 1
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 190, 'done'),
  (2, 'm', 'pytorch', 'cpu', 'float32', 2, '{}', 190, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES
  (1, 1, 'model', 'done', 'model-1', 190), (2, 1, 'layer', 'done', 'layer-1', 200), (3, 1, 'kernel', 'done', 'kernel-1', 600),
  (4, 2, 'layer', 'done', 'layer-2', 200), (5, 2, 'kernel', 'done', 'kernel-2', 600);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, source_run, kernel_run_ns, matched) VALUES
  (1, 0, 'a', 'conv', 100, 270, 2, 310, 'all'),
  (1, 1, 'b', 'relu', 50, 120, 2, 140, 'all'),
  (2, 0, 'a', 'conv', 100, 270, 4, NULL, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, duration_ns, source_run, matched) VALUES
  (1, 0, 0, 'k', 'primitive', 270, 3, 'all'), (1, 1, 1, 'r', 'native', 120, 3, 'all'),
  (2, 0, 0, 'k', 'primitive', 270, 5, 'all');
