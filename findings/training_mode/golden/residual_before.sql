-- why: an addition of tensors before a batch normalisation is no count
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (2, 'm', 'b', 'cpu', 'float32', 8, '{}', 100e6, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, path, latency_ns, matched) VALUES
  (2, 0, 'add', 'aten::add_', '[2,32,10,10]', '1', 1e6, 'all'),
  (2, 1, 'norm', 'aten::batch_norm', '[2,32,10,10]', '1', 3e6, 'all');
INSERT INTO kernel (point_id, kernel_index, layer_index, name, type, dtype, unit, duration_ns, read_bytes, write_bytes, matched) VALUES
  (2, 0, 0, 'aten::add_', 'native', 'float32', 'vector', 1e6, 51200, 25600, 'all'),
  (2, 1, 1, 'aten::native_batch_norm', 'native', 'float32', 'vector', 3e6, 26112, 25600, 'all');
