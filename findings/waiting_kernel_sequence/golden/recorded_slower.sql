-- why: XSP's recording doubles the idle time of a call: of 100 us between kernels 50 are left in a call without it
INSERT INTO point (point_id, model, backend, device, precision, settings, latency_ns, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 1000, 'done');
INSERT INTO run (run_id, point_id, rung, status, path, latency_ns, samples) VALUES (1, 1, 'kernel', 'done', 'a', 1000, 2);
INSERT INTO device_time VALUES (1, NULL, 0, NULL, 0, 1000000, 500000, 500000, 0, 0, 0, 0, 0, 0, 9);
INSERT INTO idle VALUES (1, NULL, 0, NULL, NULL, 'kernel', 5, 10000, 10000, 3000, 'a', 'b');
INSERT INTO kernel_sequence VALUES (1, NULL, 0, 0, 4, '[]', 5, 100000, 100000, NULL);
INSERT INTO critical_path VALUES (1, NULL, NULL, 'host', 'aten::mm', 9, 150000), (1, NULL, NULL, 'compute', 'k', 9, 500000);
UPDATE point SET latency_ns = 575e3;
