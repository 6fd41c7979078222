-- why: memory of the host alone: the rule abstains where no single allocation of a device is recorded
INSERT INTO point (point_id, model, backend, device, precision, settings, status)
VALUES (1, 'm', 'b', 'cuda:0', 'float32', '{}', 'done');
INSERT INTO run (run_id, point_id, rung, status, path) VALUES (1, 1, 'imported', 'done', 'a');
INSERT INTO memory_holder VALUES (1, NULL, NULL, 5, 'aten::stack', NULL, 1, 9000, 'address');
