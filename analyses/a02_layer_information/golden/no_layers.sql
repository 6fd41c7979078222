-- why: a run of the model rung alone says which rung is missing
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status) VALUES
  (1, 'resnet50', 'pytorch', 'cpu', 'float32', 4, '{}', 100, 'partial');
INSERT INTO run (run_id, point_id, rung, status, path, message) VALUES
  (1, 1, 'model', 'done', 'model-1', NULL),
  (2, 1, 'layer', 'failed', 'layer-1', 'the worker was killed: out of memory');
