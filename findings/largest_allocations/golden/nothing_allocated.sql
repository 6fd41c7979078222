-- why: layers that allocate nothing
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 40e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, allocated_bytes, matched) VALUES
  (2, 0, 'aten::view0', 'aten::view', 1e6, 0, 'all');
