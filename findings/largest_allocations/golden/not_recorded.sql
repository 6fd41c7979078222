-- why: without memory of layers the rule abstains and says how to get it
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, allocated_bytes, matched) VALUES
  (2, 0, 'aten::conv2d0', 'aten::conv2d', 1e6, NULL, 'all');
