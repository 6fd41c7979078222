-- why: the chain with the larger gain is described
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, matched) VALUES
  (1, 0, 'm0', 'Mul', '[1,1024,1024]', 10000000.0, 'all'),
  (1, 1, 'm1', 'Mul', '[1,1024,1024]', 10000000.0, 'all'),
  (1, 2, 'm2', 'Mul', '[1,1024,1024]', 10000000.0, 'all'),
  (1, 3, 'm3', 'Mul', '[1,1024,1024]', 10000000.0, 'all'),
  (1, 4, 'c', 'Conv', '[1,512,1024]', 30000000.0, 'all'),
  (1, 5, 'a0', 'Add', '[1,512,1024]', 10000000.0, 'all'),
  (1, 6, 'a1', 'Add', '[1,512,1024]', 10000000.0, 'all'),
  (1, 7, 'a2', 'Add', '[1,512,1024]', 10000000.0, 'all');
