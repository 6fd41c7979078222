-- why: on a CPU by latency; a name that begins or ends with its type needs no type, and shapes are listed
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, baseline_ns) VALUES (1, 1, 'layer', 'done', 'a',
  120e3, 100e3);
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, source_run, matched)
VALUES (1, 0, 'conv2d #0', 'conv2d', '[[1,64,56,56]]', 40e3, 1, 'single'),
  (1, 1, 'relu #1', 'relu', NULL, 5e3, 1, 'single'),
  (1, 2, 'conv2d #2', 'conv2d', '[[1,64,56,56]]', 30e3, 1, 'single'), (1, 3, 'relu #3', 'relu', NULL, 5e3, 1, 'single'),
  (1, 4, 'linear #4', 'linear', NULL, 10e3, 1, 'single'), (1, 5, '0 SoftmaxBackward0', 'SoftmaxBackward0', NULL, 10e3, 1, 'single');
