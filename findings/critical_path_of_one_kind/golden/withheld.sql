-- why: other programs took most of the time, so shares are withheld
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO critical_path VALUES (1, NULL, 3, 'compute', 'gemm', 1, 1000);

INSERT INTO layer (point_id, layer_index, name, type, latency_ns, source_run, matched)
VALUES (1, 0, 'a', 'linear', 180e3, 1, 'all');
INSERT INTO sample (run_id, iteration, latency_ns, disturbed, waited_ns, rung) VALUES (1, 0, 100, true, 90, 'imported');
