-- why: the same without slices and without a layer that joins: each may need the result of the one before
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e3, 'done');
INSERT INTO layer (point_id, layer_index, name, type, shape, latency_ns, gap_before_ns, path, matched)
SELECT 1, i, 'hidden.' || i, 'aten::linear', '[16,8]', 3e3, 200, 'hidden.' || i, 'all' FROM range(20) AS r(i);
