-- why: one call that waited long says nothing of the others
INSERT INTO point (point_id, model, backend, device, precision, batch, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cpu', 'float32', 1, '{}', 100e3, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, latency_low_ns, latency_high_ns, baseline_ns)
VALUES (1, 1, 'model', 'done', 'a', 100e3, 98e3, 102e3, NULL), (2, 1, 'layer', 'done', 'b', 300e3, 290e3, 310e3, 295e3);
INSERT INTO layer (point_id, layer_index, name, type, latency_ns, device_ns, kernel_run_ns, source_run, matched)
VALUES (1, 0, 'a', 'linear', 180e3, 500e3, 540e3, 2, 'all'), (1, 1, 'b', 'relu', 60e3, 170e3, 180e3, 2, 'all');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, waited_ns, rung)
VALUES (2, 0, 300000, false, 0, 'layer'), (2, 1, 300000, false, 0, 'layer'), (2, 2, 90000000, true, 89600000, 'layer');
