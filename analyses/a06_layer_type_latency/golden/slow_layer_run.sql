-- why: the machine was busy during the layer run, which took 3 times as long as the model run: shares are of its own calls, conv 60 % and not 180 %
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'm', 'pytorch', 'cpu', 'float32', 1, '{}', 200, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns) VALUES
  (1, 1, 'model', 'done', 'model-1', 200),
  (2, 1, 'layer', 'done', 'layer-1', 600);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, source_run, matched) VALUES
  (1, 0, 'a', 'conv', 210, 2, 'all'),
  (1, 1, 'b', 'relu', 120, 2, 'all'),
  (1, 2, 'c', 'conv', 150, 2, 'all');
